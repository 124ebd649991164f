// The records of the launches of a device, in order. A program may launch a kernel very often, so the memory for the
// counters of their lines is bounded.
#pragma once

#include <cstddef>
#include <cstdint>
#include <unordered_map>
#include <vector>

#include "grader/emulator/counters/counters.h"

namespace warpgrade::emulator {

class KeptLaunches {
 public:
  // `most_lines`: DeviceOptions::max_line_counters.
  explicit KeptLaunches(size_t most_lines) : most_lines_(most_lines) {}

  // `kernel`: any number that identifies it. The first launch of each kernel keeps its lines.
  void Add(uint32_t kernel, LaunchRecord record);
  const std::vector<LaunchRecord>& all() const { return launches_; }
  void Clear();

 private:
  const size_t most_lines_;
  std::vector<LaunchRecord> launches_;
  size_t kept_lines_ = 0;                          // LineCounters in launches_, without those that were added later
  std::unordered_map<uint32_t, size_t> first_of_;  // kernel -> its first launch
};

}  // namespace warpgrade::emulator
