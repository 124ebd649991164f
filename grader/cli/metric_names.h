// The metrics that course.yaml may limit. Commands pass these names to config, because config does not know the
// emulator.
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
