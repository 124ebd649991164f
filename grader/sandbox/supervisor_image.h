// The supervisor's executable, carried inside the library.
#pragma once

namespace warpgrade::sandbox {

// A descriptor of an unnamed file that holds the supervisor, ready to be exec'ed through /proc/self/fd; made on first
// use, never closed. -1 with errno when the system refuses. Thread-safe.
int SupervisorImageFd();

}  // namespace warpgrade::sandbox
