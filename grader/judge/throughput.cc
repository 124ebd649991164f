// A rung is timed in one session for each of the student's workers (timing_session.h). This file decides how many
// samples and workers there are, and keeps the host steady meanwhile.
//
//   warm-up calls until steady -> how many are timed as one -> empty calls -> samples until there are enough ->
//   the same deliveries and solution calls with the student's worker gone
//
// The time of a sample is the judge's clock around the call minus the overhead of an empty call (empty_calls.h). The
// faster half of the empty calls is subtracted, and the faster half of the samples counts.
//
// A call that mostly makes the host work (lab0: pages, allocations, copies) varies by 10% from minute to minute and
// from process to process, mostly because idle cores wake up slowly. So cores are kept awake if arrays are in host
// memory (awake_cores.h). Such rungs are best compared with the course's solution. The calibrator then times the
// solution, milliseconds before or after each of the student's calls, with the same buffers, the same core and other
// content. The time of the solution while the student's program stands still is compared with its time once that
// program is gone.
//
// Tests: tests/judge/throughput_test.cc, pairs_test.cc (both with a fake GPU).
#include "grader/judge/throughput.h"

#include <memory>
#include <optional>
#include <variant>

#include "grader/judge/awake_cores.h"
#include "grader/judge/call_batch.h"
#include "grader/judge/cross_checks.h"
#include "grader/judge/raw_clock.h"
#include "grader/judge/timing_session.h"

namespace warpgrade::judge {
namespace {

// A host may be restless for seconds: of ten gradings of lab0 v5 on one H200, two had a worker that could not be timed.
// A program that disturbs the timing of its slower workers can choose which ones count, so there are few.
constexpr int kMostDisturbedWorkers = 2;
// A disturbed worker that took longer than this many budgets is not replaced, because nothing else may be judged on the
// host meanwhile. Of lab0 v5, a worker takes about 1.5 budgets.
constexpr int64_t kBudgetsOfAReplacedWorker = 4;

// Keeps the host steady while calls with host arrays are timed, and keeps both workers of a pair on one core.
class SteadyHost {
 public:
  SteadyHost(const RungContext& context, const Calibrator& calibrator, bool has_host_arrays) {
    if (!has_host_arrays) return;
    if (calibrator.is_solution) for_workers_.emplace();
    const std::optional<int> core = for_workers_ ? for_workers_->core() : std::nullopt;
    awake_.emplace(core);
    if (!core) return;
    context.session.RunOn(*core);
    calibrator.session.RunOn(*core);
  }

 private:
  std::optional<AwakeCores> awake_;
  std::optional<CoreForWorkers> for_workers_;
};

// Takes samples until there are enough, and all of them again while the judge's clock and the worker's events disagree.
TimingStatus TakeSamples(const TimingRule& rule, const Case& c, TimingSession* timing) {
  for (int attempt = 0; attempt < rule.attempts; ++attempt) {
    timing->StartAgain();
    const int64_t begin_ns = RawNanoseconds();
    do {
      if (TimingStatus s = timing->TakeSample(); !s.ok()) return s;
    } while (!EnoughSamples(ComparedValues(timing->samples()), RawNanoseconds() - begin_ns, CalledNs(timing->samples()),
                            rule));
    const score::ThroughputMeasurement summary = Summarise(timing->samples(), c);
    if (summary.status == score::ThroughputMeasurement::Status::kMeasured) break;
  }
  return TimingStatus();
}

}  // namespace

Status MeasureThroughput(const RungContext& context, const Calibrator& calibrator, const TimingRule& rule,
                         TimedSamples* samples, score::RungMeasurement* measurement) {
  if (context.device.throughput() == nullptr) {
    measurement->throughput = NotMeasured("throughput is measured on the course's GPU, not here");
    return Status();
  }
  Random drawing = context.random.Next();
  const std::vector<Case> cases = context.lab.Cases(context.rung, CaseSet::kThroughput, drawing);
  if (cases.empty()) {
    measurement->throughput = NotMeasured("the lab has no throughput case for this rung");
    return Status();
  }
  WARPGRADE_CHECK(cases.size() == 1);
  const Case& c = cases[0];
  const bool first = samples->judge_ns.empty() && samples->disturbed_workers == 0;
  if (first) ++measurement->cases;
  Result<std::unique_ptr<CallBatch>> batch = CallBatch::Make(context.lab, c, context.device, context.session);
  if (!batch && batch.error().kind == ErrorKind::kUnsupported) {
    measurement->throughput = NotMeasured(batch.error().message);
    return Status();
  }
  if (!batch) return batch.error();
  if (!context.session.alive()) return RecordEnd(context.session.end(), measurement);
  const SteadyHost steady(context, calibrator, (*batch)->has_host_arrays());
  TimingSession timing(context, calibrator, c, **batch, rule);
  TimingStatus timed = timing.Prepare();
  if (timed.ok()) timed = TakeSamples(rule, c, &timing);
  if (!timed.ok()) {
    const auto* const not_timed = std::get_if<NotTimed>(&timed.end());
    if (not_timed != nullptr && not_timed->is_disturbed) ++samples->disturbed_workers;
    if (Status s = RecordTimingEnd(timed.end(), measurement); !s.ok()) return s;
    if (first && StillPassing(*measurement)) ++measurement->cases_passed;  // the answers were right
    return Status();
  }
  if (first) ++measurement->cases_passed;
  const TimingResult<std::string> held_up = timing.CompareWithItGone();
  if (!held_up.ok()) return RecordTimingEnd(held_up.end(), measurement);
  Append(timing.samples(), samples);
  measurement->throughput = Summarise(*samples, c);
  Flag(*held_up, &measurement->throughput);
  return Status();
}

Status TimeWorkers(const TimingRule& rule, const std::function<Status()>& time_one, const TimedSamples& samples,
                   score::RungMeasurement* measurement) {
  score::ThroughputMeasurement before;  // of the workers that were not disturbed
  for (int worker = 1; worker <= rule.workers * rule.max_workers;) {
    const int disturbed = samples.disturbed_workers;
    const int64_t begin_ns = RawNanoseconds();
    if (Status s = time_one(); !s.ok()) return s;
    if (samples.disturbed_workers > disturbed) {
      const bool was_short = RawNanoseconds() - begin_ns <= kBudgetsOfAReplacedWorker * rule.budget_ns;
      if (disturbed < kMostDisturbedWorkers && was_short) continue;
      if (worker > rule.workers) measurement->throughput = before;  // as many as the rule wants could be timed
      break;
    }
    before = measurement->throughput;
    const bool measured = measurement->throughput.status == score::ThroughputMeasurement::Status::kMeasured;
    if (!StillPassing(*measurement) || !measured) break;
    if (CalledNs(samples) >= rule.most_calls_ns) break;
    // The times of one worker share conditions, such as its core, that the times of another worker may not have.
    if (worker >= rule.workers && !IsUndecided(*measurement, rule)) break;
    ++worker;
  }
  FlagSlowedSolution(samples, &measurement->throughput);
  return Status();
}

bool IsUndecided(const score::RungMeasurement& measurement, const TimingRule& rule) {
  const score::ThroughputMeasurement& timed = measurement.throughput;
  return StillPassing(measurement) && timed.status == score::ThroughputMeasurement::Status::kMeasured &&
         IsNearAnEdge(timed.value, timed.spread_percent, timed.ceiling, rule);
}

void FlagSlowedSolution(const TimedSamples& samples, score::ThroughputMeasurement* measured) {
  Flag(SlowedSolution(samples.solution_ns, samples.solution_alone_ns), measured);
}

}  // namespace warpgrade::judge
