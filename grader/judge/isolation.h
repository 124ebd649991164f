// How much of this machine the processes that run a student's program can see.
#pragma once

#include <string>
#include <vector>

namespace warpgrade::judge {

struct Isolation {
  // The process is confined (sandbox/confinement.h) to the system's libraries, the device and its own executable.
  bool confine = false;
  bool namespaces = true;  // Confinement::namespaces
  // Folders that a confined process does not see, even if they are inside a folder that it needs.
  std::vector<std::string> hidden;
  // No program of another submission runs at the same time. So if the machine kills this program, for example because
  // there is no free memory, this program is the cause.
  bool alone = true;
};

}  // namespace warpgrade::judge
