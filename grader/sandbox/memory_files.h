// Measures the files that a confined program makes in its own /dev. They take memory that no process holds, so the
// memory limit must count them. Writing there cannot be forbidden to CUDA programs, because nobody knows what the
// driver writes.
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

  // The bytes in the /dev of the confined program. It is found through those of `processes` whose /dev is not ours; all
  // of them share one. 0 until it is found. Once found, it is measured even after those processes have ended.
  int64_t Bytes(const std::vector<ProcessInfo>& processes);

 private:
  bool IsOurs(int folder) const;

  dev_t our_device_ = 0;
  Descriptor folder_;
};

}  // namespace warpgrade::sandbox
