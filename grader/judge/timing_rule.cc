// Tests: tests/judge/timing_rule_test.cc.
#include "grader/judge/timing_rule.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "grader/judge/statistics.h"

namespace warpgrade::judge {
namespace {

// Warm-up calls whose times are this close count as settled. They are not timed for the result, so this only has to be
// coarser than the variation of a call.
constexpr double kSteadyShare = 0.02;
// The same for two calls that are so long that no third one is made. Chosen: a call of a quarter of a second that also
// starts something up takes far longer than the next one.
constexpr double kAboutEqualShare = 0.1;

bool AreLongAndAboutEqual(double before_ns, double last_ns, const TimingRule& rule) {
  const double longer_ns = std::max(before_ns, last_ns);
  return before_ns + last_ns >= rule.warm_calls_ns && std::abs(last_ns - before_ns) <= kAboutEqualShare * longer_ns;
}

}  // namespace

bool EnoughSamples(const std::vector<double>& values, int64_t elapsed_ns, double called_ns, const TimingRule& rule) {
  const auto samples = static_cast<int>(values.size());
  if (called_ns >= rule.most_calls_ns) return samples > 0;
  if (called_ns >= rule.long_calls_ns && samples >= rule.long_samples) return true;
  if (samples < rule.min_samples) return false;
  return samples >= rule.max_samples || elapsed_ns >= rule.budget_ns ||
         StandardErrorPercent(values) <= rule.standard_error_percent;
}

bool IsWarm(const std::vector<double>& times_ns, const TimingRule& rule) {
  const size_t calls = times_ns.size();
  if (calls >= 2 && AreLongAndAboutEqual(times_ns[calls - 2], times_ns[calls - 1], rule)) return true;
  return IsSteady(times_ns) || std::accumulate(times_ns.begin(), times_ns.end(), 0.0) >= rule.most_warm_ns;
}

TimingRule InPairs(TimingRule rule) {
  // Ten gradings of lab0 v5 with five workers, of 2.5 s each, were within 0.8% of each other (H200; BENCHMARKS.md has
  // the alternatives that were tried).
  rule.workers *= 5;
  rule.budget_ns = rule.budget_ns * 5 / 2;
  rule.standard_error_percent = rule.standard_error_percent * 5 / 3;  // 0.25
  rule.long_calls_ns = 5e9;  // such calls vary more than others, so three are too few
  return rule;
}

TimingRule InLongSamples(TimingRule rule, int length) {
  if (length == 1) return rule;
  rule.sample_ns *= length;
  rule.max_calls = std::min(rule.max_calls * length, protocol::kMaxCalls);
  rule.min_samples = (rule.min_samples + 1) / 2;
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

}  // namespace warpgrade::judge
