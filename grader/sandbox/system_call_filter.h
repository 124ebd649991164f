// The system calls that a confined program may not make: those that reach into other processes, mount, enter
// namespaces, or administer the kernel. They fail with EPERM; everything else is allowed, as compilers and the CUDA
// driver use much of it.
#pragma once

#include <linux/filter.h>

#include <vector>

namespace warpgrade::sandbox {

// A seccomp program for this machine's architecture. A call by another architecture's table ends the process.
std::vector<sock_filter> SystemCallFilter();

}  // namespace warpgrade::sandbox
