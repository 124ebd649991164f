// Tests: tests/judge/clock_arithmetic_test.cc.
#include "grader/judge/clock_arithmetic.h"

#include <algorithm>
#include <cstdio>

#include "grader/judge/statistics.h"

namespace warpgrade::judge {
namespace {

// How much longer than `busy_ns` an empty kernel may take by its own events. This is generous: 3 us are usual on an
// H200.
constexpr double kEmptyKernelNs = 10'000;
// By how much the overhead may grow when the student's worker exists. That worker is a third context on the GPU and a
// third process on the host. On an H200 it raised the overhead from 150 us to 158 us.
constexpr double kBusierShare = 0.1;
constexpr double kBusierNs = 10'000;
// How much slower a copy may become when the GPU gets warm. An H200's copies varied by 0.3%; the rest is for small
// GPUs, which lower their clocks when they are hot.
constexpr double kWarmerShare = 0.05;
// How much longer collecting may take after an honest call than after an empty one. On an H200 the median difference
// was 2 to 5 us over 13 honest rungs.
constexpr double kCollectingNs = 5'000;

}  // namespace

double OverheadOf(double empty_wall_ns, double empty_event_ns, double busy_ns) {
  return std::max(empty_wall_ns - std::clamp(empty_event_ns, busy_ns, busy_ns + kEmptyKernelNs), 0.0);
}

std::optional<double> CallOverhead(const std::vector<double>& empty_call_ns, const TimingRule& rule) {
  if (empty_call_ns.empty()) return std::nullopt;
  const double overhead_ns = FasterHalf(empty_call_ns);
  if (overhead_ns > rule.max_overhead_ns || HalfInterquartileRange(empty_call_ns) > rule.max_overhead_spread_ns) {
    return std::nullopt;
  }
  return overhead_ns;
}

double BoundedOverhead(double overhead_ns, double overhead_alone_ns) {
  return std::min(overhead_ns, (1 + kBusierShare) * overhead_alone_ns + kBusierNs);
}

double BoundedCeiling(double ceiling_gb_s, double alone_gb_s) {
  return std::max(ceiling_gb_s, (1 - kWarmerShare) * alone_gb_s);
}

double WithCollecting(double wall_ns, double collecting_ns, double collecting_after_empty_ns) {
  return wall_ns + std::max(collecting_ns - collecting_after_empty_ns - kCollectingNs, 0.0);
}

double DelayOf(double delivery_ns, double undelayed_ns) { return std::max(delivery_ns - undelayed_ns, 0.0); }

double WithoutOverhead(double wall_ns, double overhead_ns) { return std::max(wall_ns - overhead_ns, 1.0); }

std::string Microseconds(double ns) {
  char text[48];
  std::snprintf(text, sizeof(text), "%.1f us", ns / 1000);
  return text;
}

}  // namespace warpgrade::judge
