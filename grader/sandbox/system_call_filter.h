// The filter for the system calls of a confined program. Calls that reach into other processes, mount file systems,
// enter namespaces or administer the kernel fail with EPERM. So do calls that make sockets or memory that no limit
// counts, unless a GPU's driver may need them. All others are allowed, because compilers and the CUDA driver use many
// of them.
#pragma once

#include <linux/filter.h>
#include <sys/types.h>

#include <optional>
#include <vector>

namespace warpgrade::sandbox {

// A seccomp program for this machine's architecture. A system call with another architecture's number ends the process.
//
// `number`: the process that will run under the filter, when it sees the process numbers of others. Those processes may
// belong to the same user, so the kernel would let it signal them. The filter therefore lets it signal, slow down and
// limit only itself; processes that it starts may do so only to it. Without a number, a namespace hides other
// processes.
std::vector<sock_filter> SystemCallFilter(std::optional<pid_t> number);

}  // namespace warpgrade::sandbox
