// Tests: tests/judge/timed_samples_test.cc.
#include "grader/judge/timed_samples.h"

#include <numeric>

#include "grader/judge/cross_checks.h"
#include "grader/judge/statistics.h"

namespace warpgrade::judge {
namespace {

template <typename T>
void AppendTo(const std::vector<T>& values, std::vector<T>* all) {
  all->insert(all->end(), values.begin(), values.end());
}

}  // namespace

void Append(const TimedSamples& from, TimedSamples* to) {
  AppendTo(from.judge_ns, &to->judge_ns);
  AppendTo(from.event_ns, &to->event_ns);
  AppendTo(from.ceilings_gb_s, &to->ceilings_gb_s);
  AppendTo(from.solution_ns, &to->solution_ns);
  AppendTo(from.solution_alone_ns, &to->solution_alone_ns);
  AppendTo(from.gpu, &to->gpu);
  to->calls = from.calls;
}

std::vector<double> ComparedValues(const TimedSamples& samples) {
  std::vector<double> values = samples.judge_ns;
  for (size_t i = 0; i < samples.solution_ns.size(); ++i) values[i] = samples.solution_ns[i] / values[i];
  return values;
}

double CalledNs(const TimedSamples& samples) {
  return samples.calls * std::accumulate(samples.judge_ns.begin(), samples.judge_ns.end(), 0.0);
}

score::ThroughputMeasurement Summarise(const TimedSamples& samples, const Case& c) {
  score::ThroughputMeasurement summary;
  const double judge_ns = FasterHalf(samples.judge_ns);
  summary.status = score::ThroughputMeasurement::Status::kMeasured;
  // Bytes per nanosecond are GB per second, operations per nanosecond GFLOP per second.
  const auto work = static_cast<double>(c.flops > 0 ? c.flops : c.bytes_moved);
  summary.value = work / judge_ns;
  summary.unit = c.flops > 0 ? "GFLOP/s" : "GB/s";
  summary.seconds = judge_ns / 1e9;
  summary.spread_percent = SpreadPercent(ComparedValues(samples));
  summary.samples = static_cast<int>(samples.judge_ns.size());
  summary.ceiling = Median(samples.ceilings_gb_s);
  if (!samples.solution_ns.empty()) {
    summary.ceiling_of = score::ThroughputMeasurement::Ceiling::kSolution;
    summary.ceiling = summary.value / MiddleHalf(ComparedValues(samples));
  }
  summary.gpu = Summarise(samples.gpu);
  Flag(Disagreement(judge_ns, FasterHalf(samples.event_ns), samples.calls), &summary);
  return summary;
}

void Flag(const std::string& reason, score::ThroughputMeasurement* measured) {
  if (reason.empty() || measured->status != score::ThroughputMeasurement::Status::kMeasured) return;
  measured->status = score::ThroughputMeasurement::Status::kFlagged;
  measured->reason = reason;
}

}  // namespace warpgrade::judge
