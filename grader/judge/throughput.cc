// One session of timing:
//
//   warm-up calls until steady -> how many are timed as one -> empty calls -> samples until the rule is content
//
//   a sample:  draw, stage, poison | empty calls, copy bandwidth | rehearse, poison | announce | deliver, flush |
//              clock, Call .. Done, clock | copy host outputs | collect, clock | telemetry, check
//   a pair, for shares of the solution's speed: all of that but the empty calls, twice, once with the solution in the
//              student's place
//
// A sample of short calls is several (call_batch.h), each with content of its own.
//
// The copy also brings the clocks up after the host's work.
//
// An empty call launches a kernel that does nothing, for as long as a sample takes: what it costs beyond that kernel is
// the overhead of any call (mostly two contexts taking turns on the GPU). Empty calls are timed in the calibrator, a
// worker without a student: one that slows its empty calls down would be given the difference. So would one that keeps
// the machine busy meanwhile: what the calibrator needs once the student's worker is there counts only as far as what
// it needed before allows, and the copy that speeds are compared with is not taken to be much slower than it was then.
// The faster half of the empty calls is subtracted from every sample, and the faster half of the samples counts. A
// process that sleeps takes long to wake up, and never equally long, so both workers get an empty call that does not
// count before one that does (and spin afterwards: grader/worker/main.cc). Between the two the GPU copies for a
// millisecond or two, in the student's case the inputs, in the calibrator's to measure the bandwidth: after it, the
// same few lines of host code take twice as long as at once.
//
// The inputs wait where no worker can see them, and are copied into place by the GPU when all is ready for the call. A
// worker that watches for them there, to begin before the clock does, takes turns with that copy on the GPU, which then
// takes visibly longer: such a sample does not count. One that does so each time is seen at the end, when the same
// copies are made with the worker gone.
//
// Inputs in host memory are written while every thread of the worker is stopped. It goes on when the clock runs and the
// request is there; so does the calibrator then, since that takes time. What it left on the GPU could watch, too, so
// the judge takes a turn there every few megabytes; the turns count as part of the delivery.
//
// What a call costs that mostly makes the host work (lab0: pages, allocations, copies) differs by a tenth from minute
// to minute and from process to process, most of it when cores are idle in between and take their time to wake up. So
// where there are arrays in host memory all cores are kept awake (awake_cores.h), and such rungs are best compared with
// the course's solution, which is the calibrator then: same buffers, same core, other content, milliseconds before each
// of the student's calls. Who has no turn stands still meanwhile, and what the solution takes with the student's
// program there is compared with what it takes when that is gone.
//
// A worker may say Done while its kernel still runs. So the outputs are collected at once, by the GPU: a kernel that
// has not begun to write leaves them poisoned, and one that makes the collecting wait makes it longer than after an
// empty call. What it is longer by is part of the call. Outputs in host memory are copied by the judge before anything
// else, in an order that nobody can foresee: a thread that is still writing them is met within microseconds.
//
// The arithmetic is in timing.cc; tests: tests/judge/timing_test.cc, throughput_test.cc (a fake GPU).
#include "grader/judge/throughput.h"

#include "grader/judge/awake_cores.h"
#include "grader/judge/call_batch.h"
#include "grader/judge/raw_clock.h"

namespace warpgrade::judge {
namespace {

constexpr int kMaxWarmUpCalls = 20;
constexpr int kEmptyCalls = 15;
constexpr int kOverheadAttempts = 60;  // of 0.1 s each: an H200's host was restless for more than six
constexpr uint32_t kBusyAloneUs = 1000;
constexpr int kMaxDisturbedSamples = 30;  // a desktop draws on its GPU, too
constexpr int kDeliveriesAlone = 5;
constexpr int kCalibrations = 3;  // for each sample, after one that does not count
constexpr int kSolutionsWarmUp = 3;
constexpr int kSolutionsAlone = 5;  // with each worker
constexpr double kMostBusyNs = 2e6;
constexpr double kLongestCopyNs = 6e6;  // a worker spins for 10 ms
constexpr double kRehearsedShare = 10;  // of a sample's time: a call that takes longer does not notice a slow start

struct EmptyCall {
  uint32_t busy_us = 0;  // its kernel keeps the GPU busy for so long
  bool paused = false;   // the worker stands still until the clock runs
};

// What an empty call of `calibrator` costs beyond its kernel. `copy` is done between the call that wakes the worker and
// the one that is timed, `right_after` as soon as that is over.
template <typename Copy, typename RightAfter>
Result<double> TimeEmptyCall(Session& calibrator, ThroughputDevice& gpu, EmptyCall call, Copy copy,
                             RightAfter right_after) {
  std::optional<Session::Answer> answer = calibrator.Nop(protocol::kMeasureEvents);
  if (call.paused && !calibrator.Pause()) {
    return Error{ErrorKind::kMachine,
                 "the calibrator, the grader's own worker, could not be stopped for a moment. "
                 "Grade this rung again; if it happens again, is the machine overloaded?"};
  }
  if (Status s = copy(); !s.ok()) return s.error();
  if (Status s = gpu.FlushCaches(); !s.ok()) return s.error();
  if (answer) answer = calibrator.Nop(protocol::kMeasureEvents, call.busy_us);
  if (!answer) return CalibratorEnded(calibrator.end()).error();
  if (Status s = right_after(); !s.ok()) return s.error();
  const std::optional<int64_t> event_ns = calibrator.EventTime();
  if (!event_ns) return CalibratorEnded(calibrator.end()).error();
  return OverheadOf(static_cast<double>(answer->wall_ns), static_cast<double>(*event_ns), call.busy_us * 1e3);
}

// One timing session over one case; every step says false when the session is over, with the reason in measurement or
// in error().
class TimingSession {
 public:
  TimingSession(const RungContext& context, const Calibrator& calibrator, const Case& c, CallBatch& batch,
                score::RungMeasurement* measurement)
      : context_(context),
        calibrator_(calibrator),
        case_(c),
        batch_(batch),
        gpu_(*context.device.throughput()),
        measurement_(measurement) {}

  const Status& error() const { return error_; }
  const TimedSamples& samples() const { return samples_; }

  // REQUIRES: one call is timed at once.
  bool WarmUp() {
    if (!Refresh() || !Deliver()) return false;
    std::vector<double> times;
    while (times.size() < kMaxWarmUpCalls && !IsSteady(times)) {
      const std::optional<Session::Answer> answer = Call(context_.session);
      if (!answer) return false;
      times.push_back(static_cast<double>(answer->wall_ns));
    }
    warm_call_ns_ = Median(times);
    Random reading = context_.random.Next();
    batch_.TakeHostOutputs(reading);
    return Succeeded(batch_.Collect()) && Verified(context_.session);
  }

  // Decides how many calls are timed at once, by the warm-up's: between those nobody else had a turn on the GPU, so
  // that there is no overhead to speak of.
  bool SizeSamples(const TimingRule& rule) {
    if (!Succeeded(batch_.Grow(CallsOfASample(warm_call_ns_, rule)))) return false;
    return context_.session.alive() || Ended(context_.session);
  }

  // Hands the solution the same buffers and warms it up. Nothing where there is none.
  bool WarmUpSolution(const TimingRule& rule) {
    if (!calibrator_.is_solution) return true;
    if (Status s = batch_.ShareWith(calibrator_.session); !s.ok()) {
      if (!calibrator_.session.alive()) return Ended(calibrator_.session);
      return SolutionFailed(s.error().message);
    }
    for (int i = 0; i < kSolutionsWarmUp; ++i) {
      if (!Take(calibrator_.session, rule)) return false;
    }
    return true;
  }

  // A first idea of the overhead; each sample adds to it.
  bool MeasureOverhead(const TimingRule& rule) {
    for (int attempt = 0; attempt < kOverheadAttempts; ++attempt) {  // a GPU that just woke up is restless at first
      overhead_ns_.clear();
      empty_collecting_ns_.clear();
      for (int i = 0; i < kEmptyCalls; ++i) {
        if (!Calibrate(true)) return false;
      }
      if (CallOverhead(overhead_ns_, rule)) return true;
    }
    measurement_->throughput = NotMeasured("an empty call takes too long or varies too much here; is the GPU busy?");
    return false;
  }

  // Whether all deliveries were held up alike. To know it, delivers a few times more when the student's worker is gone:
  // there is no other use for this session then. Times the solution a few times more, too.
  bool CompareWithItGone(const TimingRule& rule, std::string* held_up) {
    context_.session.Dismiss();
    const std::vector<double> deliveries_ns = deliveries_ns_;
    std::vector<double> alone_ns;
    for (int i = 0; i < kDeliveriesAlone; ++i) {
      if (!calibrator_.session.Nop(protocol::kMeasureEvents)) return Ended(calibrator_.session);
      const std::optional<double> delivery_ns = Deliver();
      if (!delivery_ns) return false;
      alone_ns.push_back(*delivery_ns);
    }
    if (IsHeldUp(deliveries_ns, alone_ns, turns_)) {
      *held_up = "putting the inputs into place took " + Microseconds(Median(deliveries_ns)) +
                 " with the program there and " + Microseconds(Median(alone_ns)) +
                 " without it: does it work on the GPU before it is called?";
    }
    if (!calibrator_.is_solution) return true;
    std::vector<double> walls_ns;
    for (int i = 0; i < kSolutionsAlone; ++i) {
      const std::optional<Taken> alone = Take(calibrator_.session, rule);
      if (!alone) return false;
      walls_ns.push_back(alone->wall_ns);
    }
    samples_.solution_alone_ns = TimesOfOneCall(walls_ns);
    return true;
  }

  // Forgets the samples, not the overhead.
  void StartAgain() {
    wall_ns_.clear();
    solution_wall_ns_.clear();
    samples_ = TimedSamples();
  }

  // Adds a sample, or none when the GPU was not the judge's alone.
  bool TakeSample(const TimingRule& rule) {
    // In turns who is first: what one does to the machine, the other meets.
    const bool solution_first = wall_ns_.size() % 2 == 0;
    std::optional<Taken> solutions, students;
    for (const bool first : {true, false}) {
      const bool is_solution = first == solution_first;
      if (is_solution && !calibrator_.is_solution) continue;
      std::optional<Taken>& taken = is_solution ? solutions : students;
      taken = Take(is_solution ? calibrator_.session : context_.session, rule);
      if (!taken) return false;
    }
    if (students->disturbed || (solutions && solutions->disturbed)) {
      return ++disturbed_ <= kMaxDisturbedSamples || GaveUp();
    }
    samples_.ceilings_gb_s.push_back(BoundedCeiling(ceiling_gb_s_, calibrator_.copy_alone_gb_s));
    if (students->gpu) samples_.gpu.push_back(*students->gpu);
    wall_ns_.push_back(students->wall_ns);
    if (solutions) solution_wall_ns_.push_back(solutions->wall_ns);
    samples_.calls = batch_.calls();
    samples_.event_ns.push_back(students->event_ns / samples_.calls);
    samples_.judge_ns = TimesOfOneCall(wall_ns_);
    samples_.solution_ns = TimesOfOneCall(solution_wall_ns_);
    return true;
  }

 private:
  // All calls of a sample, by one worker.
  struct Taken {
    double wall_ns = 0, event_ns = 0;
    std::optional<GpuReading> gpu;
    bool disturbed = false;
  };

  std::optional<Taken> Take(Session& worker, const TimingRule& rule) {
    if (!Refresh()) return std::nullopt;
    if (calibrator_.is_solution) {  // what calls cost beyond the work is the same to both of a pair
      if (!OtherThan(worker).Pause()) return NotHeld(), std::nullopt;  // until it is asked something
    } else {
      for (int i = 0; i <= kCalibrations; ++i) {
        if (!Calibrate(i > 0)) return std::nullopt;
      }
    }
    if (!batch_.has_host_arrays() && warm_call_ns_ < kRehearsedShare * rule.sample_ns) {
      if (!Went(worker, batch_.Rehearse(worker, protocol::kMeasureEvents))) return std::nullopt;
      if (!Succeeded(batch_.PoisonRehearsed())) return std::nullopt;
    }
    if (!Went(worker, batch_.Announce(worker, protocol::kMeasureEvents))) return std::nullopt;
    if (!worker.Nop(protocol::kMeasureEvents)) return Ended(worker), std::nullopt;
    if (batch_.has_host_arrays() && !worker.Pause()) return NotHeld(), std::nullopt;
    const std::optional<double> delivery_ns = Deliver();
    if (!delivery_ns) return std::nullopt;
    deliveries_ns_.push_back(*delivery_ns);
    Random reading = context_.random.Next();
    const std::optional<Session::Answer> answer = Call(worker);
    if (!answer) return std::nullopt;
    batch_.TakeHostOutputs(reading);
    const std::optional<double> collecting_ns = Collect();
    Taken taken;
    // After the last clock, so that the driver's answering is part of no time; before the check, after which the GPU
    // would have idled.
    taken.gpu = gpu_.ReadTelemetry();
    if (!collecting_ns) return std::nullopt;
    const std::optional<int64_t> event_ns = worker.EventTime();
    if (!event_ns) return Ended(worker), std::nullopt;
    if (!Verified(worker)) return std::nullopt;
    taken.wall_ns = WithCollecting(static_cast<double>(answer->wall_ns), *collecting_ns, Median(empty_collecting_ns_));
    taken.event_ns = static_cast<double>(*event_ns);
    taken.disturbed = IsDisturbed(deliveries_ns_, turns_, rule);
    return taken;
  }

  double OverheadNs() const {
    const bool paused = batch_.has_host_arrays();
    return BoundedOverhead(FasterHalf(overhead_ns_),
                           paused ? calibrator_.overhead_alone_paused_ns : calibrator_.overhead_alone_ns);
  }

  std::vector<double> TimesOfOneCall(const std::vector<double>& walls_ns) const {
    const double overhead_ns = OverheadNs();
    std::vector<double> times_ns;
    for (const double wall_ns : walls_ns) times_ns.push_back(WithoutOverhead(wall_ns, overhead_ns) / batch_.calls());
    return times_ns;
  }

  // One empty call in the calibrator, after one that wakes it; between them, the copy's bandwidth. `counts`: it adds to
  // what is known of the overhead.
  bool Calibrate(bool counts) {
    double collecting_ns = 0;
    const Result<double> overhead_ns = TimeEmptyCall(
        calibrator_.session, gpu_, {BusyUs(), batch_.has_host_arrays()}, [this] { return CopyAsLongAsADelivery(); },
        [this, &collecting_ns] {
          const std::optional<double> took_ns = Collect();
          collecting_ns = took_ns.value_or(0);
          return took_ns ? Status() : error_;
        });
    if (!overhead_ns) return Succeeded(overhead_ns.error());
    if (!counts) return true;
    empty_collecting_ns_.push_back(collecting_ns);
    overhead_ns_.push_back(*overhead_ns);
    return true;
  }

  // As long as a sample, as far as that matters.
  uint32_t BusyUs() const { return static_cast<uint32_t>(std::min(warm_call_ns_ * batch_.calls(), kMostBusyNs) / 1e3); }

  // And keeps the bandwidth.
  Status CopyAsLongAsADelivery() {
    const double long_ns = deliveries_ns_.empty() ? 0 : std::min(Median(deliveries_ns_), kLongestCopyNs);
    const int64_t begin_ns = RawNanoseconds();
    do {
      const Result<double> ceiling = gpu_.MeasureCopyBandwidth();
      if (!ceiling) return ceiling.error();
      ceiling_gb_s_ = *ceiling;
    } while (static_cast<double>(RawNanoseconds() - begin_ns) < long_ns);
    return Status();
  }

  // These two: how long the GPU took. How long the host takes to write gigabytes differs, and says nothing.
  std::optional<double> Deliver() {
    int64_t gpu_ns = 0;
    turns_ = 0;
    const auto taking_turns = [this, &gpu_ns] {
      ++turns_;
      const int64_t begin_ns = RawNanoseconds();
      if (Status s = gpu_.TakeTurn(); !s.ok()) return s;
      Status s = gpu_.Synchronize();
      gpu_ns += RawNanoseconds() - begin_ns;
      return s;
    };
    if (!Succeeded(batch_.DeliverToHost(taking_turns))) return std::nullopt;
    const int64_t begin_ns = RawNanoseconds();
    if (!Succeeded(batch_.Deliver())) return std::nullopt;
    return static_cast<double>(gpu_ns + RawNanoseconds() - begin_ns);
  }
  std::optional<double> Collect() {
    const int64_t begin_ns = RawNanoseconds();
    if (!Succeeded(batch_.Collect())) return std::nullopt;
    return static_cast<double>(RawNanoseconds() - begin_ns);
  }

  bool GaveUp() {
    measurement_->throughput = NotMeasured(
        "something else worked on the GPU just before the call, again and again: another program, or work that yours "
        "left behind after its last call");
    return false;
  }

  bool NotHeld() {
    measurement_->throughput = NotMeasured(
        "the program, or the solution that it is compared with, could not be stopped for a moment while that was "
        "needed; "
        "grade this rung again");
    return false;
  }

  bool Succeeded(Status status) {
    if (status.ok()) return true;
    error_ = std::move(status);
    return false;
  }

  bool Refresh() { return Succeeded(batch_.Refresh(context_.random)); }

  // In these, a fault of the student's is the rung's, and one of the solution's means that there is nothing to compare
  // with. A calibrator that ends is an error.
  bool IsStudents(const Session& worker) const { return &worker == &context_.session; }

  Session& OtherThan(const Session& worker) const {
    return IsStudents(worker) ? calibrator_.session : context_.session;
  }

  bool Ended(Session& worker) {
    Succeeded(IsStudents(worker) ? RecordEnd(worker.end(), measurement_) : CalibratorEnded(worker.end()));
    return false;
  }

  // Perhaps for what the student's program left of the GPU's memory; so it is no error.
  bool SolutionFailed(const std::string& why) {
    measurement_->throughput =
        NotMeasured("the course's solution, which throughput is a share of, failed beside it: " + why +
                    ". Grade this rung again; if it happens again, whether 'warpgrade grade solutions --device gpu' is "
                    "right says whose fault it is");
    return false;
  }

  bool Failed(const Session& worker, score::CaseFailure failure, std::optional<score::RungStatus> fatal) {
    if (!IsStudents(worker)) return SolutionFailed(failure.message);
    measurement_->status = fatal.value_or(score::RungStatus::kFailed);
    AddFailure(std::move(failure), fatal.has_value(), measurement_);
    return false;
  }

  std::optional<Session::Answer> Call(Session& worker) {
    std::optional<Session::Answer> answer = batch_.Call(worker, protocol::kMeasureEvents);
    if (!Went(worker, answer)) return std::nullopt;
    return answer;
  }

  // What the worker says of a call.
  bool Went(Session& worker, const std::optional<Session::Answer>& answer) {
    if (!answer) return Ended(worker);
    CaseOutcome outcome = Interpret(answer->done, case_.name);
    if (outcome.kind == CaseOutcome::Kind::kPassed) return true;
    const bool fatal = outcome.kind == CaseOutcome::Kind::kFatal;
    return Failed(worker, std::move(outcome.failure), fatal ? std::optional(outcome.fatal_status) : std::nullopt);
  }

  bool Verified(const Session& worker) {
    std::optional<score::CaseFailure> failure = batch_.Verify();
    return !failure || Failed(worker, std::move(*failure), std::nullopt);
  }

  const RungContext& context_;
  const Calibrator calibrator_;
  const Case& case_;
  CallBatch& batch_;
  ThroughputDevice& gpu_;
  score::RungMeasurement* const measurement_;
  Status error_;
  std::vector<double> overhead_ns_, wall_ns_, solution_wall_ns_, deliveries_ns_;
  std::vector<double> empty_collecting_ns_;  // how long it took after empty calls
  double warm_call_ns_ = 0;                  // by the judge's clock
  double ceiling_gb_s_ = 0;                  // the last
  int turns_ = 0;                            // taken while host arrays were written, the last time
  int disturbed_ = 0;
  TimedSamples samples_;
};

void Append(const TimedSamples& from, TimedSamples* to) {
  const auto append = [](const std::vector<double>& values, std::vector<double>* all) {
    all->insert(all->end(), values.begin(), values.end());
  };
  append(from.judge_ns, &to->judge_ns);
  append(from.event_ns, &to->event_ns);
  append(from.ceilings_gb_s, &to->ceilings_gb_s);
  append(from.solution_ns, &to->solution_ns);
  append(from.solution_alone_ns, &to->solution_alone_ns);
  to->gpu.insert(to->gpu.end(), from.gpu.begin(), from.gpu.end());
  to->calls = from.calls;
}

void Flag(const std::string& reason, score::ThroughputMeasurement* measured) {
  if (measured->status != score::ThroughputMeasurement::Status::kMeasured) return;
  measured->status = score::ThroughputMeasurement::Status::kFlagged;
  measured->reason = reason;
}

// What is measured again and again: the student's times, or where there is a solution beside them the shares of its
// speed.
std::vector<double> Measured(const TimedSamples& samples) {
  std::vector<double> measured = samples.judge_ns;
  for (size_t i = 0; i < samples.solution_ns.size(); ++i) measured[i] = samples.solution_ns[i] / measured[i];
  return measured;
}

}  // namespace

Status CalibratorEnded(const WorkerEnd& end) {
  std::string message = "the calibrator, the grader's own worker, ended";
  for (const std::string& reason : end.messages) message += ": " + reason;
  message +=
      ". Grade this rung again; if it happens again, look for errors of the GPU in the system's log (dmesg) and "
      "build or install the kit anew";
  return Error{ErrorKind::kMachine, std::move(message)};
}

score::ThroughputMeasurement NotMeasured(const std::string& reason) {
  score::ThroughputMeasurement measurement;
  measurement.reason = reason;
  return measurement;
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
  summary.spread_percent = SpreadPercent(Measured(samples));
  summary.samples = static_cast<int>(samples.judge_ns.size());
  summary.ceiling = Median(samples.ceilings_gb_s);
  if (!samples.solution_ns.empty()) {
    summary.ceiling_of = score::ThroughputMeasurement::Ceiling::kSolution;
    summary.ceiling = summary.value / MiddleHalf(Measured(samples));
  }
  summary.gpu = Summarise(samples.gpu);
  summary.reason = Disagreement(judge_ns, FasterHalf(samples.event_ns), samples.calls);
  if (!summary.reason.empty()) summary.status = score::ThroughputMeasurement::Status::kFlagged;
  return summary;
}

Result<Calibrator> Calibrate(Session& session, ThroughputDevice& gpu) {
  std::vector<double> overheads_ns[2], copies_gb_s;
  for (int i = 0; i < kEmptyCalls; ++i) {
    for (const bool paused : {false, true}) {
      const Result<double> overhead_ns = TimeEmptyCall(
          session, gpu, {kBusyAloneUs, paused},
          [&gpu, &copies_gb_s] {
            const Result<double> copy_gb_s = gpu.MeasureCopyBandwidth();
            if (copy_gb_s) copies_gb_s.push_back(*copy_gb_s);
            return copy_gb_s ? Status() : copy_gb_s.error();
          },
          [] { return Status(); });
      if (!overhead_ns) return overhead_ns.error();
      overheads_ns[paused ? 1 : 0].push_back(*overhead_ns);
    }
  }
  return Calibrator{session, FasterHalf(overheads_ns[0]), FasterHalf(overheads_ns[1]), Median(copies_gb_s), false};
}

void FlagSlowedSolution(const TimedSamples& samples, score::ThroughputMeasurement* measured) {
  if (!IsSlowedDown(samples.solution_ns, samples.solution_alone_ns)) return;
  Flag("the course's solution took " + Microseconds(FasterHalf(samples.solution_ns)) +
           " with the program there, standing still, and " + Microseconds(FasterHalf(samples.solution_alone_ns)) +
           " without it: does it leave work behind on the GPU?",
       measured);
}

Status TimeWorkers(const TimingRule& rule, const std::function<Status()>& time_one, const TimedSamples& samples,
                   score::RungMeasurement* measurement) {
  for (int worker = 1; worker <= rule.workers * rule.max_workers; ++worker) {
    if (Status s = time_one(); !s.ok()) return s;
    const bool measured = measurement->throughput.status == score::ThroughputMeasurement::Status::kMeasured;
    if (!StillPassing(*measurement) || !measured) break;
    // What one worker's times have in common, with which core it got, another's may not.
    if (worker >= rule.workers && !IsUndecided(*measurement, rule)) break;
  }
  FlagSlowedSolution(samples, &measurement->throughput);
  return Status();
}

bool IsUndecided(const score::RungMeasurement& measurement, const TimingRule& rule) {
  const score::ThroughputMeasurement& timed = measurement.throughput;
  return StillPassing(measurement) && timed.status == score::ThroughputMeasurement::Status::kMeasured &&
         IsNearAnEdge(timed.value, timed.spread_percent, timed.ceiling, rule);
}

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
  const bool first = samples->judge_ns.empty();
  if (first) ++measurement->cases;
  Result<std::unique_ptr<CallBatch>> batch = CallBatch::Make(context.lab, cases[0], context.device, context.session);
  if (!batch) return batch.error();
  if (!context.session.alive()) return RecordEnd(context.session.end(), measurement);
  std::optional<AwakeCores> awake;
  std::optional<CoreForWorkers> for_workers;
  if ((*batch)->has_host_arrays()) {
    awake.emplace();
    if (calibrator.is_solution) for_workers.emplace();
  }
  if (for_workers && for_workers->core()) {
    context.session.RunOn(*for_workers->core());
    calibrator.session.RunOn(*for_workers->core());
  }
  TimingSession timing(context, calibrator, cases[0], **batch, measurement);
  const auto not_timed = [&] {  // but the answers may have been right
    if (first && timing.error().ok() && StillPassing(*measurement)) ++measurement->cases_passed;
    return timing.error();
  };
  measurement->throughput = NotMeasured("the timed call did not come to its end");
  if (!timing.WarmUp() || !timing.SizeSamples(rule) || !timing.MeasureOverhead(rule) || !timing.WarmUpSolution(rule)) {
    return not_timed();
  }
  score::ThroughputMeasurement summary;
  for (int attempt = 0; attempt < rule.attempts; ++attempt) {
    timing.StartAgain();
    const int64_t begin_ns = RawNanoseconds();
    do {
      if (!timing.TakeSample(rule)) return not_timed();
    } while (!EnoughSamples(Measured(timing.samples()), RawNanoseconds() - begin_ns, rule));
    summary = Summarise(timing.samples(), cases[0]);
    if (summary.status == score::ThroughputMeasurement::Status::kMeasured) break;
  }
  if (first) ++measurement->cases_passed;
  std::string held_up;
  if (!timing.CompareWithItGone(rule, &held_up)) return timing.error();
  Append(timing.samples(), samples);
  measurement->throughput = Summarise(*samples, cases[0]);
  if (!held_up.empty()) Flag(held_up, &measurement->throughput);
  return Status();
}

}  // namespace warpgrade::judge
