// Tests: tests/score/acceptance_test.cc.
#include "grader/score/acceptance.h"

#include <fmt/format.h>

#include <cmath>
#include <utility>

#include "grader/score/throughput.h"

namespace warpgrade::score {
namespace {

using Status = ThroughputMeasurement::Status;

Error Refused(const RungScore& score, const std::string& why) {
  return {ErrorKind::kUsage, fmt::format("{} {}", score.rung, why)};
}

// "" when it can be accepted.
std::string WhyNot(const config::Rung& rung, const config::ThroughputScale* scale, const RungScore& score) {
  const ThroughputMeasurement& throughput = score.measurement.throughput;
  if (throughput.accepted) {
    return fmt::format("was accepted already, by {} at {}", throughput.accepted->by, throughput.accepted->when);
  }
  if (throughput.status == Status::kMeasured) return "is not flagged: its speed counts as it is";
  if (throughput.status == Status::kNotMeasured) return "is not flagged: it has no speed";
  if (score.measurement.status != RungStatus::kPassed) return "is not right, and only a right rung gets points";
  if (!std::isfinite(throughput.value)) return "has no speed that could be accepted; grade it again";
  if (scale == nullptr) {
    return "has no throughput scale for this GPU in course.yaml; name the course.yaml that it was graded by";
  }
  if (rung.throughput != score.throughput_max) {
    return fmt::format(
        "has {} throughput points in the report and {} in course.yaml; name the course.yaml that it was graded by",
        score.throughput_max.ToString(), rung.throughput.ToString());
  }
  return "";
}

}  // namespace

Result<config::Points> AcceptFlagged(const config::Rung& rung, const std::string& target_id, Acceptance acceptance,
                                     RungScore* score) {
  const config::ThroughputScale* const scale = FindScale(rung, target_id);
  if (const std::string why = WhyNot(rung, scale, *score); !why.empty()) return Refused(*score, why);
  ThroughputMeasurement& throughput = score->measurement.throughput;
  throughput.status = Status::kMeasured;
  throughput.accepted = std::move(acceptance);
  const config::Points gained = ThroughputPoints(*scale, rung.throughput, throughput) - score->throughput_points;
  score->throughput_points += gained;
  score->points += gained;
  return gained;
}

}  // namespace warpgrade::score
