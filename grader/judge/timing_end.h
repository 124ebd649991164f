// How a timing session ends before it has a result. Every step of a session returns a TimingStatus or a TimingResult,
// so the reason travels with the failure; RecordTimingEnd is the one place that writes it into the measurement.
#pragma once

#include <optional>
#include <string>
#include <utility>
#include <variant>

#include "grader/judge/worker_end.h"
#include "grader/result/result.h"
#include "grader/score/measurement.h"

namespace warpgrade::judge {

// The rung cannot be timed here, and nothing says that its answers are wrong.
struct NotTimed {
  std::string reason;         // for the report: what happened, and what to do about it
  bool is_disturbed = false;  // by others, perhaps: it is worth trying again with another worker
};

// A timed call of the student's failed.
struct FailedCall {
  score::CaseFailure failure;
  score::RungStatus status = score::RungStatus::kFailed;
  bool fatal = false;  // the worker can do nothing more
};

// One of: the machine failed (Error), the rung cannot be timed, a call of the student's failed, the student's worker
// ended.
using TimingEnd = std::variant<Error, NotTimed, FailedCall, WorkerEnd>;

// Success, or the end of the session.
class [[nodiscard]] TimingStatus {
 public:
  TimingStatus() = default;
  TimingStatus(TimingEnd end) : end_(std::move(end)) {}
  TimingStatus(const Status& status) {
    if (!status.ok()) end_ = status.error();
  }
  bool ok() const { return !end_.has_value(); }
  // REQUIRES: !ok().
  const TimingEnd& end() const { return *end_; }

 private:
  std::optional<TimingEnd> end_;
};

// A step's value, or the end of the session.
template <typename T>
class [[nodiscard]] TimingResult {
 public:
  TimingResult(T value) : state_(std::in_place_index<0>, std::move(value)) {}
  TimingResult(TimingEnd end) : state_(std::in_place_index<1>, std::move(end)) {}
  bool ok() const { return state_.index() == 0; }
  // REQUIRES: ok().
  const T& operator*() const { return std::get<0>(state_); }
  const T* operator->() const { return &**this; }
  // REQUIRES: !ok().
  const TimingEnd& end() const { return std::get<1>(state_); }

 private:
  std::variant<T, TimingEnd> state_;
};

// A throughput that was not measured, for this reason.
score::ThroughputMeasurement NotMeasured(const std::string& reason);

// Writes the end into `measurement`: the throughput is not measured, and what the student's program did wrong becomes
// the rung's status, failure and messages. Errors: the machine failed, or the worker's end is nobody's fault
// (RecordEnd); then `measurement` is not valid.
Status RecordTimingEnd(const TimingEnd& end, score::RungMeasurement* measurement);

}  // namespace warpgrade::judge
