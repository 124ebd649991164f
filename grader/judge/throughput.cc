// One session of timing:
//
//   warm-up calls until steady -> how many are timed as one -> empty calls -> samples until the rule is content
//
//   a sample:  draw, stage, poison | empty calls, copy bandwidth | rehearse, poison | announce | deliver, flush |
//              clock, Call .. Done, clock | copy host outputs | collect, clock | telemetry, check
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
// A worker may say Done while its kernel still runs. So the outputs are collected at once, by the GPU: a kernel that
// has not begun to write leaves them poisoned, and one that makes the collecting wait makes it longer than after an
// empty call. What it is longer by is part of the call. Outputs in host memory are copied by the judge before anything
// else, in an order that nobody can foresee: a thread that is still writing them is met within microseconds.
//
// The arithmetic is in timing.cc; tests: tests/judge/timing_test.cc, throughput_test.cc (a fake GPU).
#include "grader/judge/throughput.h"

#include "grader/judge/call_batch.h"
#include "grader/judge/raw_clock.h"

namespace warpgrade::judge {
namespace {

constexpr int kMaxWarmUpCalls = 20;
constexpr int kEmptyCalls = 15;
constexpr int kOverheadAttempts = 6;
constexpr uint32_t kBusyAloneUs = 1000;
constexpr int kMaxDisturbedSamples = 30;  // a desktop draws on its GPU, too
constexpr int kDeliveriesAlone = 5;
constexpr int kCalibrations = 3;  // for each sample, after one that does not count
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
      const std::optional<Session::Answer> answer = Call();
      if (!answer) return false;
      times.push_back(static_cast<double>(answer->wall_ns));
    }
    warm_call_ns_ = Median(times);
    Random reading = context_.random.Next();
    batch_.TakeHostOutputs(reading);
    return Succeeded(batch_.Collect()) && Verified();
  }

  // Decides how many calls are timed at once, by the warm-up's: between those nobody else had a turn on the GPU, so
  // that there is no overhead to speak of.
  bool SizeSamples(const TimingRule& rule) {
    if (!Succeeded(batch_.Grow(CallsOfASample(warm_call_ns_, rule)))) return false;
    return context_.session.alive() || Ended();
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

  // Whether all deliveries were held up alike. To know it, delivers a few times more when the worker is gone: there is
  // no other use for this session then.
  bool CompareDeliveries(score::ThroughputMeasurement* measured) {
    context_.session.Dismiss();
    std::vector<double> alone_ns;
    for (int i = 0; i < kDeliveriesAlone; ++i) {
      if (!calibrator_.session.Nop(protocol::kMeasureEvents)) {  // as the student's worker does before a delivery
        return Succeeded(CalibratorEnded(calibrator_.session.end()));
      }
      const std::optional<double> delivery_ns = Deliver();
      if (!delivery_ns) return false;
      alone_ns.push_back(*delivery_ns);
    }
    if (IsHeldUp(deliveries_ns_, alone_ns, turns_) &&
        measured->status == score::ThroughputMeasurement::Status::kMeasured) {
      measured->status = score::ThroughputMeasurement::Status::kFlagged;
      measured->reason = "putting the inputs into place took " + Microseconds(Median(deliveries_ns_)) +
                         " with the program there and " + Microseconds(Median(alone_ns)) +
                         " without it: does it work on the GPU before it is called?";
    }
    return true;
  }

  // Forgets the samples, not the overhead.
  void StartAgain() {
    wall_ns_.clear();
    samples_ = TimedSamples();
  }

  // Adds a sample, or none when the GPU was not the judge's alone.
  bool TakeSample(const TimingRule& rule) {
    if (!Refresh()) return false;
    for (int i = 0; i <= kCalibrations; ++i) {
      if (!Calibrate(i > 0)) return false;
    }
    if (!batch_.has_host_arrays() && warm_call_ns_ < kRehearsedShare * rule.sample_ns) {
      if (!Went(batch_.Rehearse(protocol::kMeasureEvents)) || !Succeeded(batch_.PoisonRehearsed())) return false;
    }
    if (!Went(batch_.Announce(protocol::kMeasureEvents))) return false;
    if (!context_.session.Nop(protocol::kMeasureEvents)) return Ended();
    if (batch_.has_host_arrays() && !context_.session.Pause()) return NotHeld();
    const std::optional<double> delivery_ns = Deliver();
    if (!delivery_ns) return false;
    deliveries_ns_.push_back(*delivery_ns);
    Random reading = context_.random.Next();
    const std::optional<Session::Answer> answer = Call();
    if (!answer) return false;
    batch_.TakeHostOutputs(reading);
    const std::optional<double> collecting_ns = Collect();
    // After the last clock, so that the driver's answering is part of no time; before the check, after which the GPU
    // would have idled.
    const std::optional<GpuReading> gpu = gpu_.ReadTelemetry();
    if (!collecting_ns) return false;
    const std::optional<int64_t> event_ns = context_.session.EventTime();
    if (!event_ns) return Ended();
    if (!Verified()) return false;
    if (IsDisturbed(deliveries_ns_, turns_, rule)) return ++disturbed_ <= kMaxDisturbedSamples || GaveUp();
    samples_.ceilings_gb_s.push_back(BoundedCeiling(ceiling_gb_s_, calibrator_.copy_alone_gb_s));
    if (gpu) samples_.gpu.push_back(*gpu);
    wall_ns_.push_back(
        WithCollecting(static_cast<double>(answer->wall_ns), *collecting_ns, Median(empty_collecting_ns_)));
    samples_.calls = batch_.calls();
    samples_.event_ns.push_back(static_cast<double>(*event_ns) / samples_.calls);
    const double alone_ns =
        batch_.has_host_arrays() ? calibrator_.overhead_alone_paused_ns : calibrator_.overhead_alone_ns;
    const double overhead_ns = BoundedOverhead(FasterHalf(overhead_ns_), alone_ns);
    samples_.judge_ns.clear();
    for (const double wall_ns : wall_ns_) {
      samples_.judge_ns.push_back(WithoutOverhead(wall_ns, overhead_ns) / samples_.calls);
    }
    return true;
  }

 private:
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
        "the program could not be stopped for a moment while its host arrays were written; grade this rung again");
    return false;
  }

  bool Succeeded(Status status) {
    if (status.ok()) return true;
    error_ = std::move(status);
    return false;
  }

  bool Refresh() { return Succeeded(batch_.Refresh(context_.random)); }

  bool Ended() {
    Succeeded(RecordEnd(context_.session.end(), measurement_));
    return false;
  }

  std::optional<Session::Answer> Call() {
    std::optional<Session::Answer> answer = batch_.Call(protocol::kMeasureEvents);
    if (!Went(answer)) return std::nullopt;
    return answer;
  }

  // What the worker says of a call.
  bool Went(const std::optional<Session::Answer>& answer) {
    if (!answer) return Ended();
    CaseOutcome outcome = Interpret(answer->done, case_.name);
    if (outcome.kind == CaseOutcome::Kind::kPassed) return true;
    const bool fatal = outcome.kind == CaseOutcome::Kind::kFatal;
    measurement_->status = fatal ? outcome.fatal_status : score::RungStatus::kFailed;
    AddFailure(std::move(outcome.failure), fatal, measurement_);
    return false;
  }

  bool Verified() {
    std::optional<score::CaseFailure> failure = batch_.Verify();
    if (!failure) return true;
    measurement_->status = score::RungStatus::kFailed;
    AddFailure(std::move(*failure), false, measurement_);
    return false;
  }

  const RungContext& context_;
  const Calibrator calibrator_;
  const Case& case_;
  CallBatch& batch_;
  ThroughputDevice& gpu_;
  score::RungMeasurement* const measurement_;
  Status error_;
  std::vector<double> overhead_ns_, wall_ns_, deliveries_ns_;
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
  to->gpu.insert(to->gpu.end(), from.gpu.begin(), from.gpu.end());
  to->calls = from.calls;
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
  summary.value = static_cast<double>(c.flops > 0 ? c.flops : c.bytes_moved) / judge_ns;
  summary.unit = c.flops > 0 ? "GFLOP/s" : "GB/s";
  summary.seconds = judge_ns / 1e9;
  summary.spread_percent = SpreadPercent(samples.judge_ns);
  summary.samples = static_cast<int>(samples.judge_ns.size());
  summary.ceiling = Median(samples.ceilings_gb_s);
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
  return Calibrator{session, FasterHalf(overheads_ns[0]), FasterHalf(overheads_ns[1]), Median(copies_gb_s)};
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
  TimingSession timing(context, calibrator, cases[0], **batch, measurement);
  measurement->throughput = NotMeasured("the timed call did not come to its end");
  if (!timing.WarmUp() || !timing.SizeSamples(rule) || !timing.MeasureOverhead(rule)) {
    // Without an overhead nothing can be timed, but the answers were right.
    if (first && timing.error().ok() && StillPassing(*measurement)) ++measurement->cases_passed;
    return timing.error();
  }
  score::ThroughputMeasurement summary;
  for (int attempt = 0; attempt < rule.attempts; ++attempt) {
    timing.StartAgain();
    const int64_t begin_ns = RawNanoseconds();
    do {
      if (!timing.TakeSample(rule)) return timing.error();
    } while (!EnoughSamples(timing.samples().judge_ns, RawNanoseconds() - begin_ns, rule));
    summary = Summarise(timing.samples(), cases[0]);
    if (summary.status == score::ThroughputMeasurement::Status::kMeasured) break;
  }
  if (first) ++measurement->cases_passed;
  Append(timing.samples(), samples);
  summary = Summarise(*samples, cases[0]);
  if (!timing.CompareDeliveries(&summary)) return timing.error();
  measurement->throughput = std::move(summary);
  return Status();
}

}  // namespace warpgrade::judge
