// What a program that nobody trusts may see and reach. Kept by bubblewrap (`bwrap`), which must be installed and be
// allowed user namespaces: CheckConfinement says whether it is.
//
// Inside there are: the system's programs and libraries, a /dev of the harmless devices, a /proc of its own processes,
// a /tmp of its own and small, and what is listed below. No network, no home, nobody else's files; system calls that
// reach other processes or the kernel's administration fail (system_call_filter.h).
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "grader/result/result.h"

namespace warpgrade::sandbox {

struct Confinement {
  // Files and folders, at the path that they have outside. All must be there.
  std::vector<std::string> read_only;
  std::vector<std::string> writable;
  // Folders that are empty inside, also when they lie below one of the above. Those that are not there are skipped.
  std::vector<std::string> hidden;
  // Device files beside the harmless ones. A program that has any also sees /sys.
  std::vector<std::string> devices;
  // Its own process numbers, so that it sees no other process. CUDA IPC does not work across them; without, it sees
  // them, and can do nothing to them (system_call_filter.h).
  bool own_processes = true;
};

// The numbers under which bubblewrap finds its ends of a BubblewrapLink.
struct BubblewrapFds {
  int filter = -1;
  int status = -1;
};

// Processes that bubblewrap itself adds to the program's tree.
int ProcessesOf(const Confinement& confinement);

// The command that runs `argv` in `directory` ("": the root) confined. Pure, but that it looks at which of the system's
// folders exist.
std::vector<std::string> ConfinedCommand(const Confinement& confinement, const std::vector<std::string>& argv,
                                         const std::string& directory, const BubblewrapFds& fds);

// Whether programs can be confined here: tried once per process. The error (kMachine) says what is missing, and how to
// get it or to do without.
Status CheckConfinement();

}  // namespace warpgrade::sandbox
