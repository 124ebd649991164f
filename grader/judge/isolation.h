// How much of this machine the processes that run a student's program can see.
#pragma once

#include <string>
#include <vector>

namespace warpgrade::judge {

struct Isolation {
  // The process is confined (sandbox/confinement.h) to the system's libraries, the device and its own executable.
  bool confine = false;
  // Folders that a confined process does not see even where they lie inside a folder that it needs.
  std::vector<std::string> hidden;
};

}  // namespace warpgrade::judge
