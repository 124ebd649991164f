// What a class got and lost by each threshold of course.yaml, with the values that the threshold is compared with, so
// that a person can try other ones. Pure.
//
//   report of a class + course.yaml --> ThresholdsOf --> for each limit and each scale: threshold, points, values
//                                                   '--> for each rung and each check: what the class lost
#pragma once

#include <cstddef>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "grader/config/course.h"
#include "grader/score/measurement.h"
#include "grader/score/score.h"

namespace warpgrade::score {

// What the limit is compared with, of one right rung.
struct LimitSample {
  size_t submission = 0;            // its index in the report
  double value = 0;                 // not a number: not measured, so the limit is missed
  std::optional<double> of_answer;  // RungMeasurement::answer_metrics: the limit must hold for it, too
  bool others_hold = false;         // the bounds of `provided`
};

struct LimitSpread {
  config::MetricBounds bounds;
  std::string unit;
  config::Points points;
  std::vector<LimitSample> samples;
};

// A measured speed in the unit of the scale, of one right rung.
struct SpeedSample {
  size_t submission = 0;
  double value = 0;
};

struct SpeedSpread {
  std::string target;  // whose scale it is: "h200", "any"
  config::ThroughputScale scale;
  config::Points points;
  std::vector<SpeedSample> samples;
  size_t flagged = 0, not_measured = 0;  // of the right rungs
};

// The points of a submission for a rung of a group of which only the best count.
struct PointsSample {
  size_t submission = 0;
  config::Points points;
};

struct RungSpread {
  std::string rung;
  config::Points most;
  size_t graded = 0, right = 0;  // submissions with a result; with right answers
  // By all submissions together, of the points that can be measured here.
  config::Points lost_correctness, lost_technique, lost_throughput;
  std::vector<LimitSpread> limits;
  std::optional<SpeedSpread> speed;    // nullopt: there is no scale for this device
  std::vector<PointsSample> of_group;  // empty: the rung is in no group
};

struct LabSpread {
  std::string lab, title;
  std::vector<RungSpread> rungs;
  std::vector<config::BestOf> best_of;
};

// Why rungs got no points: the kind of a finding ("shared-race"), or else Name(status) ("compile_error").
struct CheckSpread {
  std::string check;
  size_t rungs = 0, submissions = 0;
  config::Points lost;  // by these rungs; a rung with several kinds of findings is counted for each
};

struct ClassSpread {
  std::vector<LabSpread> labs;
  std::vector<CheckSpread> checks;  // the one that costs most first
  // Of what counts of each submission's rungs in `labs`, by the rules of course.yaml; nullopt: none of them was graded.
  std::vector<std::optional<config::Points>> totals;
  size_t other_rules = 0;  // rungs that were graded with other points than course.yaml gives now
};

// Of the labs of `course` that the report has. `context`: of the device of the report. Quizzes, lateness and overrides
// have no thresholds and are left out.
ClassSpread ThresholdsOf(const config::Course& course, const GradingReport& report, const ScoringContext& context);

}  // namespace warpgrade::score
