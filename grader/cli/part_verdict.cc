// Turns the score of a rung into the outcome of one ctest test: of correctness, technique or throughput. A rung that is
// not right has the same outcome in all three. Tests: tests/cli/part_verdict_test.cc.
#include "grader/cli/part_verdict.h"

#include <algorithm>

#include "grader/cli/exit_code.h"

namespace warpgrade::cli {
namespace {

using score::RungStatus;

PartVerdict Skipped(Outcome outcome, const std::string& text) {
  PartVerdict verdict{kTestSkipped, text, {}};
  verdict.record.outcome = outcome;
  verdict.record.note = outcome == Outcome::kSkipped ? text : "";
  return verdict;
}

PartVerdict Ended(Outcome outcome) {
  PartVerdict verdict{outcome == Outcome::kPassed ? kDone : 1, std::string(Text(outcome)), {}};
  verdict.record.outcome = outcome;
  return verdict;
}

// The outcome of a whole rung; kPassed if its answers are right.
Outcome OutcomeOf(RungStatus status) {
  switch (status) {
    case RungStatus::kPassed:
      return Outcome::kPassed;
    case RungStatus::kNotWritten:
      return Outcome::kNotWritten;
    case RungStatus::kCompileError:
      return Outcome::kCompileError;
    case RungStatus::kMissing:
      return Outcome::kMissing;
    case RungStatus::kCrashed:
      return Outcome::kCrashed;
    case RungStatus::kFailed:
    case RungStatus::kTimeout:
    case RungStatus::kLimit:
    case RungStatus::kRefused:
      return Outcome::kFailed;
  }
  return Outcome::kFailed;
}

PartVerdict JudgeTechnique(const score::RungScore& rung) {
  if (rung.technique.empty()) return Skipped(Outcome::kSkipped, "no limits");
  const bool met = std::all_of(rung.technique.begin(), rung.technique.end(),
                               [](const score::TechniqueResult& limit) { return limit.passed; });
  if (met) return Ended(Outcome::kPassed);
  PartVerdict verdict = Ended(Outcome::kFailed);
  verdict.text = verdict.record.note = "MISSED";
  return verdict;
}

PartVerdict JudgeThroughput(const score::RungScore& rung) {
  const score::ThroughputMeasurement& throughput = rung.measurement.throughput;
  if (throughput.status != score::ThroughputMeasurement::Status::kMeasured) {
    return Skipped(Outcome::kSkipped, "skipped: " + throughput.reason);
  }
  if (!rung.throughput_measurable) {
    return Skipped(Outcome::kSkipped, "skipped: course.yaml has no scale for this GPU");
  }
  return Ended(rung.throughput_points < rung.throughput_max ? Outcome::kFailed : Outcome::kPassed);
}

}  // namespace

std::string_view Name(Part part) {
  switch (part) {
    case Part::kCorrectness:
      return "correctness";
    case Part::kTechnique:
      return "technique";
    case Part::kThroughput:
      return "throughput";
    case Part::kAll:
      break;
  }
  return "all";
}

PartVerdict JudgePart(const score::RungScore& rung, Part part) {
  const Outcome whole = OutcomeOf(rung.measurement.status);
  PartVerdict verdict;
  if (whole == Outcome::kNotWritten) {
    verdict = Skipped(whole, "not written yet");
  } else if (whole != Outcome::kPassed || part == Part::kCorrectness) {
    verdict = Ended(whole);
  } else {
    verdict = part == Part::kTechnique ? JudgeTechnique(rung) : JudgeThroughput(rung);
  }
  verdict.record.points = rung.points;
  verdict.record.max_points = rung.measurable_points;
  return verdict;
}

}  // namespace warpgrade::cli
