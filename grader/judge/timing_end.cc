// Tests: tests/judge/timing_end_test.cc.
#include "grader/judge/timing_end.h"

#include "grader/judge/correctness.h"

namespace warpgrade::judge {
namespace {

constexpr char kNoResult[] = "the timed call did not finish";

// One overload for each kind of end: a new kind does not compile until it has one.
struct TimingEndRecorder {
  score::RungMeasurement* const measurement;

  Status operator()(const Error& error) const { return error; }

  Status operator()(const NotTimed& not_timed) const {
    measurement->throughput = NotMeasured(not_timed.reason);
    return Status();
  }

  Status operator()(const FailedCall& failed) const {
    measurement->throughput = NotMeasured(kNoResult);
    measurement->status = failed.status;
    AddFailure(failed.failure, failed.fatal, measurement);
    return Status();
  }

  Status operator()(const WorkerEnd& end) const {
    measurement->throughput = NotMeasured(kNoResult);
    return RecordEnd(end, measurement);
  }
};

}  // namespace

score::ThroughputMeasurement NotMeasured(const std::string& reason) {
  score::ThroughputMeasurement measurement;
  measurement.reason = reason;
  return measurement;
}

Status RecordTimingEnd(const TimingEnd& end, score::RungMeasurement* measurement) {
  return std::visit(TimingEndRecorder{measurement}, end);
}

}  // namespace warpgrade::judge
