// Scores correctness first, as the gate, then each technique limit, then throughput, and sums up. All points are exact
// (config::Points), so sums do not depend on their order. Tests: tests/score/score_test.cc (situations),
// tests/score/score_property_test.cc (drawn at random).
#include "grader/score/score.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "grader/score/throughput.h"

namespace warpgrade::score {
namespace {

using config::Points;

// "Passed" has to be backed by cases that ran: a rung that was never called is not right.
bool IsRight(const RungMeasurement& measurement) {
  return measurement.status == RungStatus::kPassed && measurement.cases > 0 &&
         measurement.cases_passed == measurement.cases && measurement.failures.empty() && measurement.findings.empty();
}

// {:.10g}: a total such as 131840 is written out.
std::string LimitText(const config::MetricBounds& bounds) {
  if (bounds.min && bounds.max) return fmt::format(">= {:.10g} and <= {:.10g}", *bounds.min, *bounds.max);
  if (bounds.min) return fmt::format(">= {:.10g}", *bounds.min);
  return fmt::format("<= {:.10g}", bounds.max.value_or(0));
}

bool Holds(const config::MetricBounds& bounds, double value) {
  if (!std::isfinite(value)) return false;
  return (!bounds.min || value >= *bounds.min) && (!bounds.max || value <= *bounds.max);
}

BoundsResult Compare(const config::MetricBounds& bounds, const RungMeasurement& measurement,
                     const ScoringContext& context) {
  BoundsResult result;
  result.metric = bounds.metric;
  const auto unit = context.metric_units.find(bounds.metric);
  if (unit != context.metric_units.end()) result.unit = unit->second;
  result.limit = LimitText(bounds);
  const auto value = measurement.metrics.find(bounds.metric);
  if (!measurement.technique_measured || value == measurement.metrics.end()) return result;
  result.value = value->second;
  result.passed = Holds(bounds, value->second);
  const auto of_answer = measurement.answer_metrics.find(bounds.metric);
  if (result.passed && of_answer != measurement.answer_metrics.end() && !Holds(bounds, of_answer->second)) {
    result.value = of_answer->second;
    result.passed = false;
  }
  result.is_above = !result.passed && bounds.max && *result.value > *bounds.max;
  return result;
}

TechniqueResult ScoreLimit(const config::TechniqueLimit& limit, const RungMeasurement& measurement,
                           const ScoringContext& context, bool right) {
  TechniqueResult result;
  static_cast<BoundsResult&>(result) = Compare(limit.bounds, measurement, context);
  result.max_points = limit.points;
  result.value_holds = result.passed;
  for (const config::MetricBounds& bounds : limit.provided) {
    result.provided.push_back(Compare(bounds, measurement, context));
    result.passed = result.passed && result.provided.back().passed;
  }
  if (right && result.passed) result.points = limit.points;
  return result;
}

// "1 point for throughput cannot be earned here"
std::string NotEarned(config::Points points) {
  return fmt::format("{} point{} for throughput cannot be earned here", points.ToString(),
                     points.ToString() == "1" ? "" : "s");
}

void ScoreThroughput(const config::Rung& rung, const ScoringContext& context, bool right, RungScore* score) {
  score->throughput_max = rung.throughput;
  if (!context.on_gpu || rung.throughput == Points()) return;
  const config::ThroughputScale* scale = FindScale(rung, context.target_id);
  if (!scale) {
    if (!right) return;
    score->measurement.messages.push_back(
        fmt::format("course.yaml has no throughput scale for this GPU, so {}", NotEarned(rung.throughput)));
    return;
  }
  FlagImpossible(context.peaks, rung.arithmetic, &score->measurement.throughput);
  // A wrong rung is not timed, but its throughput points were there to be earned.
  const ThroughputMeasurement& measured = score->measurement.throughput;
  if (right && scale->unit == config::ThroughputScale::Unit::kShareOfSolution &&
      measured.status != ThroughputMeasurement::Status::kNotMeasured &&
      measured.ceiling_of != ThroughputMeasurement::Ceiling::kSolution) {
    score->measurement.messages.push_back(
        fmt::format("the speed counts as a share of the solution's on this GPU, and this kit has no solution, so {}",
                    NotEarned(rung.throughput)));
    return;
  }
  score->throughput_measurable = !right || measured.status != ThroughputMeasurement::Status::kNotMeasured;
  if (right) score->throughput_points = ThroughputPoints(*scale, rung.throughput, measured);
}

template <typename Sum, typename Part>
void AddTo(Sum* sum, const Part& part) {
  sum->points += part.points;
  sum->max_points += part.max_points;
  sum->measurable_points += part.measurable_points;
}

}  // namespace

const char* Name(RungStatus status) {
  switch (status) {
    case RungStatus::kPassed:
      return "passed";
    case RungStatus::kFailed:
      return "failed";
    case RungStatus::kNotWritten:
      return "not_written";
    case RungStatus::kCompileError:
      return "compile_error";
    case RungStatus::kTimeout:
      return "timeout";
    case RungStatus::kCrashed:
      return "crashed";
    case RungStatus::kLimit:
      return "limit";
    case RungStatus::kRefused:
      return "refused";
    case RungStatus::kMissing:
      return "missing";
  }
  WARPGRADE_CHECK(false);
}

RungScore ScoreRung(const config::Rung& rung, const RungMeasurement& measurement, const ScoringContext& context) {
  RungScore score;
  score.rung = rung.name;
  score.measurement = measurement;
  const bool right = IsRight(measurement);
  if (!right && measurement.status == RungStatus::kPassed) score.measurement.status = RungStatus::kFailed;

  score.correctness_max = rung.correctness;
  if (right) score.correctness_points = rung.correctness;
  score.technique_max = rung.technique;
  for (const config::TechniqueLimit& limit : rung.technique_limits) {
    score.technique.push_back(ScoreLimit(limit, measurement, context, right));
    score.technique_points += score.technique.back().points;
  }
  ScoreThroughput(rung, context, right, &score);

  score.points = score.correctness_points + score.technique_points + score.throughput_points;
  score.max_points = rung.Total();
  score.measurable_points = rung.correctness + rung.technique;
  if (score.throughput_measurable) score.measurable_points += rung.throughput;
  return score;
}

std::vector<config::MetricBounds> BoundsOfTechnique(const config::Rung& rung) {
  std::vector<config::MetricBounds> bounds;
  for (const config::TechniqueLimit& limit : rung.technique_limits) {
    if (limit.points == Points()) continue;  // nothing is lost without it
    bounds.push_back(limit.bounds);
    bounds.insert(bounds.end(), limit.provided.begin(), limit.provided.end());
  }
  return bounds;
}

bool AreWithin(const std::vector<config::MetricBounds>& bounds, const RungMeasurement& measurement) {
  return std::all_of(bounds.begin(), bounds.end(),
                     [&](const config::MetricBounds& one) { return Compare(one, measurement, {}).passed; });
}

RungScore ScoreQuiz(Points points, const RungMeasurement& measurement) {
  RungScore score;
  score.rung = config::kQuizName;
  score.measurement = measurement;
  score.correctness_max = score.max_points = score.measurable_points = points;
  const bool sensible =
      measurement.cases > 0 && measurement.cases_passed >= 0 && measurement.cases_passed <= measurement.cases;
  if (sensible) score.correctness_points = points.Times(double(measurement.cases_passed) / measurement.cases);
  score.points = score.correctness_points;
  return score;
}

void AddRung(RungScore rung, LabScore* lab) {
  AddTo(lab, rung);
  lab->rungs.push_back(std::move(rung));
}

LabScore ScoreLab(const config::Lab& lab, const std::map<std::string, RungMeasurement>& measurements,
                  const ScoringContext& context) {
  LabScore score;
  score.lab = lab.name;
  score.title = lab.title;
  for (const config::Rung& rung : lab.rungs) {
    RungMeasurement missing;
    missing.status = RungStatus::kMissing;
    const auto found = measurements.find(rung.name);
    score.rungs.push_back(ScoreRung(rung, found == measurements.end() ? missing : found->second, context));
    AddTo(&score, score.rungs.back());
  }
  return score;
}

SubmissionScore ScoreSubmission(std::string id, std::vector<LabScore> labs) {
  SubmissionScore score;
  score.id = std::move(id);
  score.labs = std::move(labs);
  SumUpLabs(&score);
  return score;
}

void SumUpLabs(SubmissionScore* submission) {
  submission->points = submission->max_points = submission->measurable_points = Points();
  for (const LabScore& lab : submission->labs) AddTo(submission, lab);
}

}  // namespace warpgrade::score
