// The executable of the supervisor, which is embedded in the library.
#pragma once

namespace warpgrade::sandbox {

// A descriptor of an unnamed file that holds the supervisor, to be exec'ed through /proc/self/fd. The file is made on
// first use and never closed. -1, with errno set, when the system refuses. Thread-safe.
int SupervisorImageFd();

}  // namespace warpgrade::sandbox
