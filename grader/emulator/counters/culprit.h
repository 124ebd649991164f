// Which source line contributes most to a metric: where a person who misses a limit should look first.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "grader/emulator/counters/counters.h"

namespace warpgrade::emulator {

struct Culprit {
  std::string file;  // as the compiler saw it; "": copies and sets on the device
  int line = 0;
  std::string what;  // "32 turns of shared memory per request where 1 would do, in 1024 requests"
};

// For each metric of metrics.def that has a rule, the line that contributed most to it over all launches. A metric at
// its best possible value has no culprit. `copies` as for ComputeMetrics: a culprit without a file.
std::map<std::string, Culprit> FindCulprits(const std::vector<LaunchRecord>& launches, const Counters& copies = {});

}  // namespace warpgrade::emulator
