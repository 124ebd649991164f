// What an untrusted program may see and reach. Bubblewrap (`bwrap`) enforces it; it must be installed and allowed to
// make user namespaces (CheckConfinement).
//
// A confined program sees the system's programs and libraries, a /dev with the harmless devices, a /proc with its own
// processes, a small /tmp of its own, and whatever is listed in Confinement. It has no network, no home folder and
// nobody else's files. System calls that reach other processes or administer the kernel fail (system_call_filter.h).
//
// If the grader runs as root, the program does not: it runs as kUserOfPrograms, who owns nothing (GivesUpRoot).
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "grader/result/result.h"

namespace warpgrade::sandbox {

struct Confinement {
  // Files and folders that the program may read, or also write, at the path that they have outside. All must exist.
  std::vector<std::string> read_only;
  std::vector<std::string> writable;
  // Folders that the program finds empty, even when they lie inside one of the above. Missing folders are skipped.
  std::vector<std::string> hidden;
  // Device files beside the harmless ones. A program with any of these also sees /sys.
  std::vector<std::string> devices;
  // True: the program has process numbers of its own and sees no other process. False: it sees other processes but can
  // do nothing to them (system_call_filter.h). CUDA IPC needs false.
  bool own_processes = true;
  // False: without bubblewrap, for a container in which no namespace can be made. The program runs as kUserOfPrograms,
  // with the same filter of system calls: it has no network, and no signal of it reaches other processes. But it sees
  // all files that everybody may read, and `read_only`, `hidden` and `devices` mean nothing. Programs that run at the
  // same time can reach each other's memory. REQUIRES: own_processes, and CheckOtherUser().
  bool namespaces = true;
};

// The number of the user, and of the group, that confined programs of root run as. Debian reserves it and gives it to
// nobody.
inline constexpr uint32_t kUserOfPrograms = 65533;

// True if we are root, and the program is to run as kUserOfPrograms. On a GPU it stays root without capabilities, in a
// user namespace, because CUDA shares memory only between processes of the same user. The same holds in a user
// namespace that has no other user.
bool GivesUpRoot(const Confinement& confinement);

// Lets kUserOfPrograms write in the folder `path` and the folders in it, which stay ours. False, with errno set, if
// that fails.
bool LendToPrograms(const std::string& path);

// The descriptors at which bubblewrap finds its ends of a BubblewrapLink.
struct BubblewrapFds {
  int filter = -1;
  int status = -1;
};

// The number of processes that bubblewrap itself adds to the program's tree.
int ProcessesOf(const Confinement& confinement);

// The bubblewrap command that runs `argv` confined, in `directory` ("": the root). It looks at which of the system's
// folders exist and is otherwise pure.
std::vector<std::string> ConfinedCommand(const Confinement& confinement, const std::vector<std::string>& argv,
                                         const std::string& directory, const BubblewrapFds& fds);

// Checks that programs can be confined on this machine, by confining one; done once per process. The error (kMachine)
// says what is missing, and how to install it or grade without it.
Status CheckConfinement();

// The same for Confinement::namespaces = false, which needs root.
Status CheckOtherUser();

}  // namespace warpgrade::sandbox
