// The system calls that a confined program may not make: those that reach into other processes, mount, enter
// namespaces, or administer the kernel. They fail with EPERM; everything else is allowed, as compilers and the CUDA
// driver use much of it.
#pragma once

#include <linux/filter.h>
#include <sys/types.h>

#include <optional>
#include <vector>

namespace warpgrade::sandbox {

// A seccomp program for this machine's architecture. A call by another architecture's table ends the process.
//
// `number`: of the one process that will run under the filter, where it shares process numbers with others. They may
// well be the same user's, to whom the kernel allows it: so it may signal, slow and limit nobody but itself. Processes
// that it starts may do so to it alone. Without: a namespace keeps others out of reach.
std::vector<sock_filter> SystemCallFilter(std::optional<pid_t> number);

}  // namespace warpgrade::sandbox
