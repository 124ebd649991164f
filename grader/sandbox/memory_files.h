// The files that a confined program makes in its own /dev. They are memory that no process holds. Where CUDA's driver
// works that folder cannot be closed, since what the driver wants there is not known; so it is measured.
#pragma once

#include <sys/types.h>

#include <cstdint>
#include <vector>

#include "grader/sandbox/descriptor.h"
#include "grader/sandbox/process_tree.h"

namespace warpgrade::sandbox {

class MemoryFiles {
 public:
  MemoryFiles();

  // Bytes in the /dev of those of `processes` that have another one than we have: all of them share it. 0 while there
  // is none. Once found it stays in sight, whatever becomes of the processes.
  int64_t Bytes(const std::vector<ProcessInfo>& processes);

 private:
  bool IsOurs(int folder) const;

  dev_t our_device_ = 0;
  Descriptor folder_;
};

}  // namespace warpgrade::sandbox
