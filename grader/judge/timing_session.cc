// The turn of one worker in a sample, in this order (a sample has several short calls, each with content of its own).
// Of the solution's turns only some are checked, and then the host outputs are not copied either.
//
//   draw inputs, poison outputs | bring up to speed | announce all calls but the last | deliver inputs, flush |
//   clock, call .. Done, clock | copy host outputs | collect device outputs, clock | telemetry, event time | check
//
// Without a solution, empty calls in the calibrator and a rehearsal bring a worker up to speed. With a solution, a
// sample is a pair of turns, and the worker that has no turn is stopped. What a call costs beyond the work is then the
// same for both.
//
// Inputs wait where no worker can see them until everything is ready for the call (delivery.h). Inputs in host memory
// are written while every thread of the worker is stopped. The worker continues when the clock runs and the request is
// there. The calibrator is then stopped before its empty calls too, because continuing takes time.
//
// Outputs: a worker may say Done while its kernel still runs. So the judge makes the GPU collect the outputs at once. A
// kernel that has not begun to write leaves them poisoned. A kernel that still runs makes collecting take longer than
// after an empty call, and the difference is part of the call. Outputs in host memory are copied first, in an order
// that nobody can foresee, so that a thread that still writes them is noticed within microseconds.
//
// Tests: tests/judge/throughput_test.cc, pairs_test.cc (both with a fake GPU).
#include "grader/judge/timing_session.h"

#include <algorithm>
#include <limits>
#include <random>

#include "grader/judge/clock_arithmetic.h"
#include "grader/judge/cross_checks.h"
#include "grader/judge/statistics.h"

namespace warpgrade::judge {
namespace {

// Chosen: bounds the warm-up of a rung that never gets steady.
constexpr int kMaxWarmUpCalls = 20;
// Empty calls with each sample, after one that does not count: together with those before the first sample, they give
// the overhead. With three instead of one, speeds differed by less than 0.2%, and a rung had the GPU for 0.07 s longer
// (H200).
constexpr int kEmptyCallsOfASample = 1;
// A call that takes longer than this many samples is not rehearsed: a slow start costs microseconds, which is little
// compared with ten of them.
constexpr double kRehearsedSamples = 10;
// How often a call is rehearsed at most; how often is drawn. So a program that collects calls, and does their work at
// once, cannot know by counting where a sample ends. Chosen: few, because each takes as long as a call.
constexpr int kMostRehearsals = 3;
// Samples that somebody else's work on the GPU may spoil before the session gives up. A desktop draws on its GPU, too.
constexpr int kMaxDisturbedSamples = 30;
// The same for pairs, which vary so much that a program could choose which ones count: at most this many, and one for
// each four that count.
constexpr int kMaxDisturbedPairs = 5;
constexpr int kPairsForOneDisturbed = 4;
// What a delayed delivery adds to the solution's time at most. Without the limit a program that delays these deliveries
// would make the solution seem slow. If none were added, only the student's calls would suffer from a restless machine:
// its delays were up to 220 us in the median for 46 of 47 workers on an H200. With 100 us, the range of ten gradings on
// another H200 would have been 1.10% instead of 0.95%.
constexpr double kSolutionsMostDelayNs = 200'000;
constexpr double kNoLimit = std::numeric_limits<double>::infinity();
// Deliveries with the student's worker gone. Chosen: the smallest number whose median two outliers cannot change. In
// pairs their median decides what a delay adds to a time. There the median of the first five was off by about 100 us
// from the median of 15, which is 1.4% of a call (H200).
constexpr int kDeliveriesAlone = 5;
constexpr int kDeliveriesAloneInPairs = 15;
// Calls of the solution before those that count, and with the student's worker gone. Chosen: few, because every worker
// repeats them and there are five workers or more (InPairs).
constexpr int kSolutionsWarmUp = 3;
constexpr int kSolutionsAlone = 5;
// The solution's outputs are checked in one of so many pairs. Chosen: to copy and check host arrays takes longer than a
// call (lab0 v5), and the solution is only wrong if the machine is.
constexpr int kPairsForOneCheck = 4;

TimingEnd NotHeld() {
  return NotTimed{
      "the grader could not pause the program, or the solution that it is compared with; grade this rung again"};
}

}  // namespace

TimingSession::TimingSession(const RungContext& context, const Calibrator& calibrator, const Case& c, CallBatch& batch,
                             const TimingRule& rule)
    : context_(context),
      rule_(rule),
      has_solution_(calibrator.is_solution),
      batch_(batch),
      gpu_(*context.device.throughput()),
      workers_(context.session, calibrator.session, c.name),
      delivery_(batch, gpu_),
      empty_calls_(calibrator, gpu_, delivery_) {}

TimingStatus TimingSession::Prepare() {
  if (TimingStatus s = WarmUp(); !s.ok()) return s;
  if (TimingStatus s = SizeSamples(); !s.ok()) return s;
  if (TimingStatus s = empty_calls_.TakeFirst(EmptyCallKind(), rule_); !s.ok()) return s;
  return has_solution_ ? WarmUpSolution() : TimingStatus();
}

// Makes one call at a time, all with the same inputs.
TimingStatus TimingSession::WarmUp() {
  Session& student = workers_.student();
  if (Status s = batch_.Refresh(context_.random); !s.ok()) return s;
  if (Result<double> delivered = delivery_.Deliver(); !delivered) return TimingEnd(delivered.error());
  std::vector<double> times_ns;
  while (times_ns.size() < kMaxWarmUpCalls && !IsWarm(times_ns, rule_)) {
    const TimingResult<Session::Answer> answer =
        workers_.WentWell(student, batch_.Call(student, protocol::kMeasureEvents));
    if (!answer.ok()) return answer.end();
    times_ns.push_back(static_cast<double>(answer->wall_ns));
  }
  warm_call_ns_ = Median(times_ns);
  Random reading = context_.random.Next();
  batch_.TakeHostOutputs(reading);
  if (Status s = batch_.Collect(); !s.ok()) return s;
  return Verify(student);
}

// Uses the time of the warm-up calls. Nobody else had a turn on the GPU between them, so it has almost no overhead.
TimingStatus TimingSession::SizeSamples() {
  if (Status s = batch_.Grow(CallsOfASample(warm_call_ns_, rule_)); !s.ok()) return s;
  if (!workers_.student().alive()) return workers_.Ended(workers_.student());
  return TimingStatus();
}

TimingStatus TimingSession::WarmUpSolution() {
  Session& solution = workers_.calibrator();
  if (Status s = batch_.ShareWith(solution); !s.ok()) {
    return solution.alive() ? TimedWorkers::SolutionFailed(s.error().message) : workers_.Ended(solution);
  }
  for (int i = 0; i < kSolutionsWarmUp; ++i) {
    if (TimingResult<Turn> turn = TakeTurn(solution, Checks::kYes); !turn.ok()) return turn.end();
  }
  return TimingStatus();
}

void TimingSession::StartAgain() {
  students_.clear();
  solutions_.clear();
  samples_ = TimedSamples();
  disturbed_samples_ = 0;
}

TimingStatus TimingSession::TakeSample() {
  // The workers alternate in going first, because the first call suffers from what drawing and checking did to the
  // machine.
  const bool solution_first = students_.size() % 2 == 0;
  std::optional<Turn> solutions, students;
  for (const bool first : {true, false}) {
    const bool is_solution = first == solution_first;
    if (is_solution && !has_solution_) continue;
    const TimingResult<Turn> turn =
        is_solution ? TakeTurn(workers_.calibrator(), ChecksOfSolution()) : TakeTurn(workers_.student(), Checks::kYes);
    if (!turn.ok()) return turn.end();
    (is_solution ? solutions : students) = *turn;
  }
  if (students->disturbed || (solutions && solutions->disturbed)) {
    const int most = has_solution_ ? kMaxDisturbedPairs + static_cast<int>(students_.size()) / kPairsForOneDisturbed
                                   : kMaxDisturbedSamples;
    if (++disturbed_samples_ <= most) return TimingStatus();
    return TimingEnd(
        NotTimed{"something else used the GPU just before the call, again and again: another program, or work that "
                 "your program left there after its last call",
                 has_solution_});
  }
  students_.push_back(*students);
  if (solutions) solutions_.push_back(*solutions);
  samples_.ceilings_gb_s.push_back(empty_calls_.CopyGbS());
  if (students->gpu) samples_.gpu.push_back(*students->gpu);
  SummariseTurns();
  return TimingStatus();
}

void TimingSession::SummariseTurns() {
  samples_.calls = batch_.calls();
  samples_.judge_ns = TimesOfOneCall(students_, kNoLimit);
  samples_.solution_ns = TimesOfOneCall(solutions_, kSolutionsMostDelayNs);
  samples_.event_ns.clear();
  for (const Turn& turn : students_) {
    const bool has_time = turn.event_ns >= 0;
    samples_.event_ns.push_back((turn.event_ns + (has_time ? DelayNs(turn) : 0)) / samples_.calls);
  }
}

TimingResult<std::string> TimingSession::CompareWithItGone() {
  workers_.student().Dismiss();
  const std::vector<double> deliveries_ns = deliveries_ns_;
  const int deliveries = has_solution_ ? kDeliveriesAloneInPairs : kDeliveriesAlone;
  for (int i = 0; i < deliveries; ++i) {
    Session& calibrator = workers_.calibrator();
    if (!calibrator.Nop(protocol::kMeasureEvents)) return workers_.Ended(calibrator);
    const Result<double> delivery_ns = delivery_.Deliver();
    if (!delivery_ns) return TimingEnd(delivery_ns.error());
    alone_ns_.push_back(*delivery_ns);
  }
  SummariseTurns();
  const std::string held_up = HeldUpDeliveries(deliveries_ns, alone_ns_, delivery_.slack_ns());
  if (!has_solution_) return held_up;
  std::vector<Turn> turns;
  for (int i = 0; i < kSolutionsAlone; ++i) {
    const TimingResult<Turn> turn = TakeTurn(workers_.calibrator(), Checks::kYes);
    if (!turn.ok()) return turn.end();
    turns.push_back(*turn);
  }
  samples_.solution_alone_ns = TimesOfOneCall(turns, kSolutionsMostDelayNs);
  return held_up;
}

TimingSession::Checks TimingSession::ChecksOfSolution() {
  Random drawing = context_.random.Next();
  return std::uniform_int_distribution(1, kPairsForOneCheck)(drawing) == 1 ? Checks::kYes : Checks::kNo;
}

TimingResult<TimingSession::Turn> TimingSession::TakeTurn(Session& worker, Checks checks) {
  if (Status s = batch_.Refresh(context_.random); !s.ok()) return TimingEnd(s.error());
  if (TimingStatus s = BringUpToSpeed(worker); !s.ok()) return s.end();
  const TimingResult<Session::Answer> announced =
      workers_.WentWell(worker, batch_.Announce(worker, protocol::kMeasureEvents));
  if (!announced.ok()) return announced.end();
  const TimingResult<Session::Answer> answer = DeliverAndCall(worker, checks);
  if (!answer.ok()) return answer.end();
  const Result<double> collecting_ns = delivery_.Collect();
  Turn turn;
  // Read telemetry after the last clock reading, so that no time includes the driver's answer, and before the check,
  // during which the GPU would become idle.
  turn.gpu = gpu_.ReadTelemetry();
  if (!collecting_ns) return TimingEnd(collecting_ns.error());
  const std::optional<int64_t> event_ns = worker.EventTime();
  if (!event_ns) return workers_.Ended(worker);
  if (checks == Checks::kYes) {
    if (TimingStatus s = Verify(worker); !s.ok()) return s.end();
  }
  turn.wall_ns = WithCollecting(static_cast<double>(answer->wall_ns), *collecting_ns, empty_calls_.CollectingNs());
  turn.event_ns = static_cast<double>(*event_ns);
  turn.delivery_ns = deliveries_ns_.back();
  turn.disturbed = IsDisturbed(deliveries_ns_, delivery_.slack_ns(), rule_);
  return turn;
}

// Drawing and checking gigabytes takes a second. After that, the first calls are slow on both ends of the socket, and
// how slow they are differs from worker to worker.
TimingStatus TimingSession::BringUpToSpeed(Session& worker) {
  if (has_solution_) {
    if (!workers_.OtherThan(worker).Pause()) return NotHeld();  // it continues when the next request comes
  } else {
    for (int i = 0; i <= kEmptyCallsOfASample; ++i) {
      const EmptyCalls::Counts counts = i > 0 ? EmptyCalls::Counts::kYes : EmptyCalls::Counts::kNo;
      if (Status s = empty_calls_.Take(EmptyCallKind(), counts); !s.ok()) return s;
    }
  }
  if (batch_.has_host_arrays() || warm_call_ns_ >= kRehearsedSamples * rule_.sample_ns) return TimingStatus();
  Random drawing = context_.random.Next();
  for (int left = std::uniform_int_distribution(1, kMostRehearsals)(drawing); left > 0; --left) {
    const TimingResult<Session::Answer> rehearsed =
        workers_.WentWell(worker, batch_.Rehearse(worker, protocol::kMeasureEvents));
    if (!rehearsed.ok()) return rehearsed.end();
  }
  return batch_.PoisonRehearsed();
}

// Carries out the turn up to the copy of the host outputs.
TimingResult<Session::Answer> TimingSession::DeliverAndCall(Session& worker, Checks checks) {
  // Wakes the worker up; it spins afterwards (grader/worker/main.cc).
  if (!worker.Nop(protocol::kMeasureEvents)) return workers_.Ended(worker);
  if (batch_.has_host_arrays() && !worker.Pause()) return NotHeld();
  const Result<double> delivery_ns = delivery_.Deliver();
  if (!delivery_ns) return TimingEnd(delivery_ns.error());
  deliveries_ns_.push_back(*delivery_ns);
  Random reading = context_.random.Next();
  TimingResult<Session::Answer> answer = workers_.WentWell(worker, batch_.Call(worker, protocol::kMeasureEvents));
  if (answer.ok() && checks == Checks::kYes) batch_.TakeHostOutputs(reading);
  return answer;
}

TimingStatus TimingSession::Verify(const Session& worker) {
  Random checking = context_.random.Next();
  std::optional<score::CaseFailure> failure = batch_.Verify(checking);
  if (!failure) return TimingStatus();
  return workers_.WroteWrong(worker, std::move(*failure));
}

// About as long as a sample and its delivery; more precision is not needed.
EmptyCalls::Kind TimingSession::EmptyCallKind() const {
  return {warm_call_ns_ * batch_.calls(), deliveries_ns_.empty() ? 0 : Median(deliveries_ns_),
          batch_.has_host_arrays()};
}

double TimingSession::DelayNs(const Turn& turn) const {
  if (!delivery_.keeps_bus_busy()) return 0;
  // The program may delay deliveries while it is there, and the driver those right after its end.
  const double undelayed_ns = alone_ns_.empty() ? *std::min_element(deliveries_ns_.begin(), deliveries_ns_.end())
                                                : std::min(Median(alone_ns_), Median(deliveries_ns_));
  return DelayOf(turn.delivery_ns, undelayed_ns);
}

std::vector<double> TimingSession::TimesOfOneCall(const std::vector<Turn>& turns, double most_delay_ns) const {
  const double overhead_ns = empty_calls_.OverheadNs(batch_.has_host_arrays());
  std::vector<double> times_ns;
  times_ns.reserve(turns.size());
  for (const Turn& turn : turns) {
    times_ns.push_back(WithoutOverhead(turn.wall_ns + std::min(DelayNs(turn), most_delay_ns), overhead_ns) /
                       batch_.calls());
  }
  return times_ns;
}

}  // namespace warpgrade::judge
