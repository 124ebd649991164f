// The numbers of the system call ioprio_set, as its manual page ioprio_set(2) gives them. The kernel's own header
// <linux/ioprio.h> has them too, but that of Debian's linux-libc-dev 6.1.192 is no C++: a parameter is called `class`.
#pragma once

namespace warpgrade::sandbox {

// What the number after it means.
inline constexpr int kIoPriorityOfProcess = 1;
inline constexpr int kIoPriorityOfGroup = 2;
inline constexpr int kIoPriorityOfUser = 3;

// A priority is a class, shifted, and a level in it from 0 to 7; 0 is served first.
inline constexpr int kIoPriorityClassShift = 13;
inline constexpr int kIoBestEffort = 2 << kIoPriorityClassShift;
inline constexpr int kIoIdle = 3 << kIoPriorityClassShift;

}  // namespace warpgrade::sandbox
