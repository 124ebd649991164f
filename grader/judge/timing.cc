#include "grader/judge/timing.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <limits>
#include <numeric>

#include "grader/result/result.h"

namespace warpgrade::judge {
namespace {

constexpr double kAgreementShare = 0.05;
constexpr double kAgreementNs = 10'000;
constexpr double kSteadyShare = 0.02;
constexpr double kDisturbedShare = 0.01;
constexpr double kHeldUpShare = 0.01;
constexpr double kHeldUpNs = 50'000;      // on an H200 honest rungs' medians were 15 us shorter to 2 us longer
constexpr double kSlowedDownShare = 0.3;  // on an H200 gradings of honest lab0 v1 and v3 had -1 to 10%
constexpr double kTurnNs = 20'000;  // there, 16 took 310 us more than the fewest; two contexts at work cost 300 each
constexpr double kCollectingNs = 5'000;  // on an H200 an honest call's median excess was 2 to 5 us
constexpr double kBusierShare = 0.1;     // a third context on the GPU and a third process on the host
constexpr double kBusierNs = 10'000;
constexpr double kWarmerShare = 0.05;      // an H200's copies differed by 0.3%; a small GPU throttles
constexpr double kEmptyKernelNs = 10'000;  // no GPU takes longer over a kernel that does nothing, events included

}  // namespace

std::string Microseconds(double ns) {
  char text[48];
  std::snprintf(text, sizeof(text), "%.1f us", ns / 1000);
  return text;
}

double Quantile(std::vector<double> values, double q) {
  WARPGRADE_CHECK(!values.empty() && q >= 0 && q <= 1);
  std::sort(values.begin(), values.end());
  const double position = q * static_cast<double>(values.size() - 1);
  const auto below = static_cast<size_t>(position);
  const size_t above = std::min(below + 1, values.size() - 1);
  return values[below] + (position - static_cast<double>(below)) * (values[above] - values[below]);
}

double Median(const std::vector<double>& values) { return Quantile(values, 0.5); }

double FasterHalf(std::vector<double> values) {
  WARPGRADE_CHECK(!values.empty());
  std::sort(values.begin(), values.end());
  const size_t half = (values.size() + 1) / 2;
  return std::accumulate(values.begin(), values.begin() + static_cast<ptrdiff_t>(half), 0.0) /
         static_cast<double>(half);
}

double MiddleHalf(std::vector<double> values) {
  WARPGRADE_CHECK(!values.empty());
  std::sort(values.begin(), values.end());
  const size_t cut = values.size() / 4;
  return std::accumulate(values.begin() + static_cast<ptrdiff_t>(cut), values.end() - static_cast<ptrdiff_t>(cut),
                         0.0) /
         static_cast<double>(values.size() - 2 * cut);
}

double HalfInterquartileRange(const std::vector<double>& values) {
  return 0.5 * (Quantile(values, 0.75) - Quantile(values, 0.25));
}

double SpreadPercent(const std::vector<double>& values) {
  const double median = Median(values);
  return median == 0 ? 0 : 100 * HalfInterquartileRange(values) / median;
}

double StandardErrorPercent(const std::vector<double>& values) {
  if (values.size() < 2) return std::numeric_limits<double>::infinity();
  const auto n = static_cast<double>(values.size());
  const double mean = std::accumulate(values.begin(), values.end(), 0.0) / n;
  double squares = 0;
  for (const double value : values) squares += (value - mean) * (value - mean);
  return 100 * std::sqrt(squares / (n - 1) / n) / mean;
}

bool EnoughSamples(const std::vector<double>& times_ns, int64_t elapsed_ns, const TimingRule& rule) {
  const auto samples = static_cast<int>(times_ns.size());
  if (samples < rule.min_samples) return false;
  return samples >= rule.max_samples || elapsed_ns >= rule.budget_ns ||
         StandardErrorPercent(times_ns) <= rule.standard_error_percent;
}

TimingRule InPairs(TimingRule rule) {
  rule.workers *= 10;
  rule.budget_ns /= 4;
  rule.standard_error_percent /= 2;
  return rule;
}

std::vector<ThroughputEdge> EdgesOf(const config::ThroughputScale& scale) {
  using Unit = config::ThroughputScale::Unit;
  const bool share = scale.unit == Unit::kShareOfCopy || scale.unit == Unit::kShareOfSolution;
  std::vector<ThroughputEdge> edges;
  for (const config::ThroughputScale::Step& step : scale.steps) edges.push_back({step.at, share});
  if (scale.full) edges.push_back({*scale.full, share});
  return edges;
}

int CallsOfASample(double call_ns, const TimingRule& rule) {
  if (!(call_ns > 0)) return rule.max_calls;
  return static_cast<int>(std::clamp(std::ceil(rule.sample_ns / call_ns), 1.0, static_cast<double>(rule.max_calls)));
}

bool IsNearAnEdge(double value, double spread_percent, std::optional<double> ceiling, const TimingRule& rule) {
  const double share = std::max(rule.edge_share, spread_percent / 100);
  return std::any_of(rule.edges.begin(), rule.edges.end(), [&](const ThroughputEdge& edge) {
    if (edge.share && !ceiling) return false;
    const double at = edge.share ? edge.at * *ceiling : edge.at;
    return std::abs(value - at) <= share * at;
  });
}

bool IsSteady(const std::vector<double>& times_ns) {
  if (times_ns.size() < 4) return false;
  const auto [least, most] = std::minmax_element(times_ns.end() - 3, times_ns.end());
  return *most - *least <= kSteadyShare * *most;
}

std::optional<double> CallOverhead(const std::vector<double>& empty_call_ns, const TimingRule& rule) {
  if (empty_call_ns.empty()) return std::nullopt;
  const double overhead_ns = FasterHalf(empty_call_ns);
  if (overhead_ns > rule.max_overhead_ns || HalfInterquartileRange(empty_call_ns) > rule.max_overhead_spread_ns) {
    return std::nullopt;
  }
  return overhead_ns;
}

double OverheadOf(double empty_wall_ns, double empty_event_ns, double busy_ns) {
  return std::max(empty_wall_ns - std::clamp(empty_event_ns, busy_ns, busy_ns + kEmptyKernelNs), 0.0);
}

bool IsDisturbed(const std::vector<double>& times_ns, int turns, const TimingRule& rule) {
  if (times_ns.empty()) return false;
  const double shortest = *std::min_element(times_ns.begin(), times_ns.end());
  return times_ns.back() > (1 + kDisturbedShare) * shortest + rule.disturbance_ns + turns * kTurnNs;
}

bool IsHeldUp(const std::vector<double>& times_ns, const std::vector<double>& undisturbed_ns, int turns) {
  if (times_ns.empty() || undisturbed_ns.empty()) return false;
  return Median(times_ns) > (1 + kHeldUpShare) * Median(undisturbed_ns) + kHeldUpNs + turns * kTurnNs;
}

bool IsSlowedDown(const std::vector<double>& times_ns, const std::vector<double>& alone_ns) {
  if (times_ns.empty() || alone_ns.empty()) return false;
  return FasterHalf(times_ns) > (1 + kSlowedDownShare) * FasterHalf(alone_ns) + kHeldUpNs;
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

double WithoutOverhead(double wall_ns, double overhead_ns) { return std::max(wall_ns - overhead_ns, 1.0); }

std::string Disagreement(double judge_ns, double event_ns, int calls) {
  if (event_ns < 0) return "the worker gave no event time to compare the grader's " + Microseconds(judge_ns) + " with";
  if (std::abs(judge_ns - event_ns) <= kAgreementShare * std::max(judge_ns, event_ns) + kAgreementNs / calls) return "";
  return "the grader's clock says " + Microseconds(judge_ns) + " and the worker's events say " +
         Microseconds(event_ns) + " for one call";
}

}  // namespace warpgrade::judge
