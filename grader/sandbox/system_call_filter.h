// The filters for the system calls of confined programs. A program with its own process numbers may call only what is
// on a list of what programs, our runtime and compilers need. Where a GPU's driver runs in the program, the filter is a
// list of what it may not call: what reaches into other processes, mounts file systems, enters namespaces or
// administers the kernel. A refused call fails with EPERM, and one that is on no list with ENOSYS.
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

// For a program that sees other processes and has no GPU: only what is on the list, and signals as above. Without
// `makes_files` it can make no files, folders and links.
std::vector<sock_filter> SharedAllowList(pid_t number, bool makes_files);

}  // namespace warpgrade::sandbox
