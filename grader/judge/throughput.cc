// One session of timing:
//
//   warm-up calls until steady -> empty calls -> samples until the stopping rule is content
//
//   a sample:  draw, upload, poison | copy bandwidth | empty call, empty call | clock, Call .. Done, clock | check
//                                     '- also brings the clocks up after the host's work
//
// An empty call launches a kernel that does nothing: what it costs beyond that kernel is the overhead of any call
// (mostly two contexts taking turns on the GPU). The session's median is subtracted from every sample. On an H200 the
// first call after a pause costs some 80 us more than those that follow (245 against 165), so each sample's first empty
// call only wakes the worker and does not count. L2 is flushed before every call, empty or not.
//
// The arithmetic is in timing.cc; tests: tests/judge/timing_test.cc, throughput_test.cc (a fake GPU).
#include "grader/judge/throughput.h"

#include "grader/judge/raw_clock.h"

namespace warpgrade::judge {
namespace {

constexpr int kMaxWarmUpCalls = 20;
constexpr int kEmptyCalls = 15;
constexpr int kOverheadAttempts = 6;

// One timing session over one case; every step says false when the session is over, with the reason in measurement or
// in error().
class TimingSession {
 public:
  TimingSession(const RungContext& context, const Case& c, CaseBuffers& buffers, score::RungMeasurement* measurement)
      : context_(context), case_(c), buffers_(buffers), gpu_(*context.device.throughput()), measurement_(measurement) {}

  const Status& error() const { return error_; }
  const TimedSamples& samples() const { return samples_; }

  bool WarmUp() {
    if (!Refresh()) return false;
    std::vector<double> times;
    while (times.size() < kMaxWarmUpCalls && !IsSteady(times)) {
      const std::optional<Session::Answer> answer = Call();
      if (!answer) return false;
      times.push_back(static_cast<double>(answer->wall_ns));
    }
    return Verified();
  }

  // A first idea of the overhead; each sample adds to it.
  bool MeasureOverhead(const TimingRule& rule) {
    for (int attempt = 0; attempt < kOverheadAttempts; ++attempt) {  // a GPU that just woke up is restless at first
      overhead_ns_.clear();
      if (!WakeWorker()) return false;
      for (int i = 0; i < kEmptyCalls; ++i) {
        if (!EmptyCall()) return false;
      }
      if (CallOverhead(overhead_ns_, rule)) return true;
    }
    measurement_->throughput = NotMeasured("an empty call takes too long or varies too much here; is the GPU busy?");
    return false;
  }

  bool TakeSample() {
    if (!Refresh()) return false;
    const Result<double> ceiling = gpu_.MeasureCopyBandwidth();
    if (!ceiling) return Succeeded(ceiling.error());
    if (!WakeWorker() || !EmptyCall() || !Succeeded(gpu_.FlushCaches())) return false;
    const std::optional<Session::Answer> answer = Call();
    if (!answer || !Verified()) return false;
    samples_.ceilings_gb_s.push_back(*ceiling);
    wall_ns_.push_back(static_cast<double>(answer->wall_ns));
    samples_.event_ns.push_back(static_cast<double>(answer->done.event_time_ns));
    const double overhead_ns = Median(overhead_ns_);
    samples_.judge_ns.clear();
    for (const double wall_ns : wall_ns_) samples_.judge_ns.push_back(WithoutOverhead(wall_ns, overhead_ns));
    return true;
  }

 private:
  bool WakeWorker() {
    if (!EmptyCall()) return false;
    overhead_ns_.pop_back();
    return true;
  }

  bool EmptyCall() {
    if (!Succeeded(gpu_.FlushCaches())) return false;
    const std::optional<Session::Answer> answer = context_.session.Nop(protocol::kMeasureEvents);
    if (!answer) return Ended();
    overhead_ns_.push_back(
        OverheadOf(static_cast<double>(answer->wall_ns), static_cast<double>(answer->done.event_time_ns)));
    return true;
  }

  bool Succeeded(Status status) {
    if (status.ok()) return true;
    error_ = std::move(status);
    return false;
  }

  bool Refresh() {
    Random random = context_.random.Next();
    return Succeeded(buffers_.Refresh(random));
  }

  bool Ended() {
    Succeeded(RecordEnd(context_.session.end(), measurement_));
    return false;
  }

  std::optional<Session::Answer> Call() {
    std::optional<Session::Answer> answer = context_.session.Call(buffers_.MakeCall(protocol::kMeasureEvents));
    if (!answer) {
      Ended();
      return std::nullopt;
    }
    CaseOutcome outcome = Interpret(answer->done, case_.name);
    if (outcome.kind == CaseOutcome::Kind::kPassed) return answer;
    const bool fatal = outcome.kind == CaseOutcome::Kind::kFatal;
    measurement_->status = fatal ? outcome.fatal_status : score::RungStatus::kFailed;
    AddFailure(std::move(outcome.failure), fatal, measurement_);
    return std::nullopt;
  }

  bool Verified() {
    std::optional<score::CaseFailure> failure = buffers_.Verify();
    if (!failure) return true;
    measurement_->status = score::RungStatus::kFailed;
    AddFailure(std::move(*failure), false, measurement_);
    return false;
  }

  const RungContext& context_;
  const Case& case_;
  CaseBuffers& buffers_;
  ThroughputDevice& gpu_;
  score::RungMeasurement* const measurement_;
  Status error_;
  std::vector<double> overhead_ns_, wall_ns_;
  TimedSamples samples_;
};

}  // namespace

score::ThroughputMeasurement NotMeasured(const std::string& reason) {
  score::ThroughputMeasurement measurement;
  measurement.reason = reason;
  return measurement;
}

score::ThroughputMeasurement Summarise(const TimedSamples& samples, const Case& c) {
  score::ThroughputMeasurement summary;
  const double judge_ns = Median(samples.judge_ns);
  summary.status = score::ThroughputMeasurement::Status::kMeasured;
  // Bytes per nanosecond are GB per second, operations per nanosecond GFLOP per second.
  summary.value = static_cast<double>(c.flops > 0 ? c.flops : c.bytes_moved) / judge_ns;
  summary.unit = c.flops > 0 ? "GFLOP/s" : "GB/s";
  summary.spread_percent = SpreadPercent(samples.judge_ns);
  summary.samples = static_cast<int>(samples.judge_ns.size());
  summary.ceiling = Median(samples.ceilings_gb_s);
  summary.reason = Disagreement(judge_ns, Median(samples.event_ns));
  if (!summary.reason.empty()) summary.status = score::ThroughputMeasurement::Status::kFlagged;
  return summary;
}

Status MeasureThroughput(const RungContext& context, const TimingRule& rule, score::RungMeasurement* measurement) {
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
  ++measurement->cases;
  Result<std::unique_ptr<CaseBuffers>> buffers =
      CaseBuffers::Make(context.lab, cases[0], context.device, context.session);
  if (!buffers) return buffers.error();
  if (!context.session.alive()) return RecordEnd(context.session.end(), measurement);
  TimingSession timing(context, cases[0], **buffers, measurement);
  measurement->throughput = NotMeasured("the timed call did not come to its end");
  if (!timing.WarmUp() || !timing.MeasureOverhead(rule)) {
    // Without an overhead nothing can be timed, but the answers were right.
    if (timing.error().ok() && StillPassing(*measurement)) ++measurement->cases_passed;
    return timing.error();
  }
  const int64_t begin_ns = RawNanoseconds();
  do {
    if (!timing.TakeSample()) return timing.error();
  } while (!EnoughSamples(timing.samples().judge_ns, RawNanoseconds() - begin_ns, rule));
  ++measurement->cases_passed;
  measurement->throughput = Summarise(timing.samples(), cases[0]);
  return Status();
}

}  // namespace warpgrade::judge
