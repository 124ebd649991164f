// Tests: tests/judge/machine_speed_test.cc.
#include "grader/judge/machine_speed.h"

#include <time.h>

#include <algorithm>
#include <array>
#include <cmath>

namespace warpgrade::judge {
namespace {

constexpr int64_t kReferenceNs = 1'000'000;  // what Work took on the 2-core machine of BENCHMARKS.md
constexpr double kNotSlow = 1.5;
constexpr double kMostSlowness = 10;  // so that a mistake of the measurement cannot make limits endless
constexpr int kTries = 5;             // the fastest counts: the others may have met a cold cache

int64_t ProcessorNs() {
  timespec now;
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  return int64_t{now.tv_sec} * 1'000'000'000 + now.tv_nsec;
}

// Arithmetic, branches and dependent loads, as a compiler or a student's loop has them.
uint32_t Work(std::array<uint32_t, 1 << 14>& table) {
  uint32_t value = 1;
  for (int i = 0; i < 415'000; ++i) {
    uint32_t& entry = table[value & (table.size() - 1)];
    value = value * 1664525u + 1013904223u + entry;
    entry = (value & 1) != 0 ? value >> 3 : value;
  }
  return value;
}

template <typename Limits>
Limits Multiplied(Limits limits, double slowness) {
  limits.wall_s = static_cast<int>(std::ceil(limits.wall_s * slowness));
  limits.cpu_s = static_cast<int>(std::ceil(limits.cpu_s * slowness));
  return limits;
}

}  // namespace

double SlownessFrom(int64_t work_ns) {
  const double slowness = static_cast<double>(work_ns) / static_cast<double>(kReferenceNs);
  return slowness <= kNotSlow ? 1 : std::min(slowness, kMostSlowness);
}

double MeasureSlowness() {
  std::array<uint32_t, 1 << 14> table{};
  int64_t best_ns = INT64_MAX;
  volatile uint32_t result = 0;  // so that the work is done
  for (int i = 0; i < kTries; ++i) {
    const int64_t begin_ns = ProcessorNs();
    result = Work(table);
    best_ns = std::min(best_ns, ProcessorNs() - begin_ns);
  }
  static_cast<void>(result);
  return SlownessFrom(best_ns);
}

config::RunLimits Stretched(config::RunLimits limits, double slowness) { return Multiplied(limits, slowness); }
config::BuildLimits Stretched(config::BuildLimits limits, double slowness) { return Multiplied(limits, slowness); }

}  // namespace warpgrade::judge
