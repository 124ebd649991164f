// The names of grader/emulator/counters/metrics.def, which course.yaml may limit; config does not know the emulator.
#pragma once

#include <string>
#include <vector>

#include "grader/emulator/counters/counters.h"

namespace warpgrade::cli {

inline std::vector<std::string> MetricNames() {
  std::vector<std::string> names;
  for (const emulator::MetricInfo& metric : emulator::AllMetrics()) names.emplace_back(metric.name);
  return names;
}

}  // namespace warpgrade::cli
