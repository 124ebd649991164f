#include "tests/report/html/sample_thresholds.h"

#include <cmath>
#include <limits>
#include <random>
#include <utility>
#include <vector>

#include "grader/score/throughput.h"

namespace warpgrade::report {
namespace {

using config::Points;
using score::RungMeasurement;
using score::ThroughputMeasurement;

Points Whole(int points) { return Points::FromHundredths(100 * points); }

config::TechniqueLimit LimitOn(const char* metric, std::optional<double> min, std::optional<double> max, int points) {
  config::TechniqueLimit limit;
  limit.bounds = {metric, min, max};
  limit.points = Whole(points);
  limit.provided = {{"global_load_requests", std::nullopt, 9000}};
  return limit;
}

config::Rung RungOf(const char* name, std::vector<config::TechniqueLimit> limits,
                    const config::ThroughputScale& scale) {
  config::Rung rung;
  rung.name = name;
  rung.correctness = Whole(5);
  for (const config::TechniqueLimit& limit : limits) rung.technique += limit.points;
  rung.technique_limits = std::move(limits);
  rung.throughput = Whole(6);
  rung.throughput_scales["h200"] = scale;
  return rung;
}

config::ThroughputScale Linear(double zero, double full) {
  config::ThroughputScale scale;
  scale.zero = zero;
  scale.full = full;
  return scale;
}

config::ThroughputScale Steps() {
  config::ThroughputScale scale;
  scale.steps = {{500, Whole(1)}, {1500, Points::FromHundredths(350)}, {2500, Whole(6)}};
  return scale;
}

double NoNumber() { return std::numeric_limits<double>::quiet_NaN(); }

nlohmann::json NumberOrNull(double value) {
  return std::isfinite(value) ? nlohmann::json(value) : nlohmann::json(nullptr);
}

// Values around each threshold, and some from a seed.
std::vector<double> ValuesAround(const std::vector<double>& thresholds, std::mt19937* random) {
  std::vector<double> values = {0, -1, 1e300, -1e300, 1e-300};
  for (const double at : thresholds) {
    values.insert(values.end(), {at, std::nextafter(at, -1e300), std::nextafter(at, 1e300)});
  }
  const auto [low, high] = std::minmax_element(thresholds.begin(), thresholds.end());
  std::uniform_real_distribution<double> between(*low - 1, *high + 1);
  for (int i = 0; i < 300; ++i) values.push_back(between(*random));
  return values;
}

nlohmann::json LimitPoints(const config::TechniqueLimit& limit, std::mt19937* random) {
  const config::Rung rung = RungOf("v", {limit}, Linear(1, 2));
  std::vector<double> values = ValuesAround({limit.bounds.min.value_or(0), limit.bounds.max.value_or(1)}, random);
  values.push_back(NoNumber());
  nlohmann::json samples = nlohmann::json::array();
  for (const double value : values) {
    for (const double answer : {NoNumber(), value, values[(*random)() % values.size()]}) {
      for (const bool others : {true, false}) {
        RungMeasurement measurement;
        measurement.cases = measurement.cases_run = measurement.cases_passed = 1;
        measurement.technique_measured = true;
        measurement.metrics = {{limit.bounds.metric, value}, {"global_load_requests", others ? 1 : 1e9}};
        if (std::isfinite(answer)) measurement.answer_metrics[limit.bounds.metric] = answer;
        const Points got = score::ScoreRung(rung, measurement, {}).technique_points;
        samples.push_back({0, NumberOrNull(value), NumberOrNull(answer), others, got.hundredths()});
      }
    }
  }
  const auto bound = [](std::optional<double> one) { return one ? nlohmann::json(*one) : nlohmann::json(nullptr); };
  return {{"bounds", {bound(limit.bounds.min), bound(limit.bounds.max)}},
          {"points", limit.points.hundredths()},
          {"samples", std::move(samples)}};
}

nlohmann::json SpeedPoints(const config::ThroughputScale& scale, Points most, std::mt19937* random) {
  std::vector<double> thresholds;
  nlohmann::json json = {{"points", most.hundredths()}, {"samples", nlohmann::json::array()}};
  if (scale.zero) {
    thresholds = {*scale.zero, *scale.full};
    json["scale"] = {{"zero", *scale.zero}, {"full", *scale.full}};
  } else {
    json["scale"]["steps"] = nlohmann::json::array();
    for (const auto& step : scale.steps) {
      thresholds.push_back(step.at);
      json["scale"]["steps"].push_back({step.at, step.points.hundredths()});
    }
  }
  for (const double value : ValuesAround(thresholds, random)) {
    ThroughputMeasurement measured;
    measured.status = ThroughputMeasurement::Status::kMeasured;
    measured.value = value;
    json["samples"].push_back({value, score::ThroughputPoints(scale, most, measured).hundredths()});
  }
  return json;
}

}  // namespace

config::Course MeasuredCourse() {
  config::Course course;
  config::Lab transpose, reduction;
  transpose.name = "lab2";
  transpose.title = "Transpose";
  transpose.rungs = {
      RungOf("v1_naive", {LimitOn("global_bytes_per_element", {}, 36, 2)}, Linear(500, 1500)),
      RungOf("v2_shared", {LimitOn("shared_bank_conflicts", {}, 0, 2), LimitOn("average_active_lanes", 28, 32, 1)},
             Steps())};
  reduction.name = "lab1";
  reduction.title = "Reduction";
  reduction.rungs = {RungOf("v9_one_pass", {LimitOn("atomics", {}, 4096, 3)}, Linear(2000, 4000))};
  course.labs = {transpose, reduction};
  return course;
}

score::ScoringContext MeasuredContext() {
  score::ScoringContext context;
  context.on_gpu = true;
  context.target_id = "h200";
  context.metric_units = {{"shared_bank_conflicts", "per request"}, {"global_bytes_per_element", "bytes"}};
  return context;
}

score::GradingReport MeasuredClass(int size) {
  const config::Course course = MeasuredCourse();
  std::mt19937 random(7);
  std::lognormal_distribution<double> around(0, 0.4);
  score::GradingReport report;
  report.kit_version = "0.1";
  report.course = "GPU Programming";
  report.device = {.kind = "gpu", .name = "NVIDIA H200", .uuid = {}, .driver = {}, .peaks = {}};
  for (int i = 0; i < size; ++i) {
    std::vector<score::LabScore> labs;
    for (const config::Lab& lab : course.labs) {
      std::map<std::string, RungMeasurement> measurements;
      for (const config::Rung& rung : lab.rungs) {
        RungMeasurement& measurement = measurements[rung.name];
        if (random() % 6 == 0) {
          measurement.status = random() % 2 == 0 ? score::RungStatus::kCompileError : score::RungStatus::kNotWritten;
          continue;
        }
        measurement.cases = measurement.cases_run = measurement.cases_passed = 12;
        measurement.technique_measured = true;
        measurement.metrics = {{"global_bytes_per_element", 33 * around(random)},
                               {"shared_bank_conflicts", random() % 2 == 0 ? 0 : std::floor(8 * around(random))},
                               {"average_active_lanes", 32 - 4 * around(random)},
                               {"atomics", std::floor(3000 * around(random))},
                               {"global_load_requests", random() % 20 == 0 ? 1e6 : 100}};
        if (random() % 10 == 0) measurement.answer_metrics["shared_bank_conflicts"] = 31;
        measurement.throughput.status = ThroughputMeasurement::Status::kMeasured;
        measurement.throughput.value = 1200 * around(random);
      }
      if (i == 3) measurements.begin()->second.throughput.status = ThroughputMeasurement::Status::kFlagged;
      if (i == 4) measurements.begin()->second.throughput.value = NoNumber();
      labs.push_back(score::ScoreLab(lab, measurements, MeasuredContext()));
    }
    if (i == 5) labs.clear();
    report.submissions.push_back(score::ScoreSubmission("s" + std::to_string(1000 + i), std::move(labs)));
  }
  return report;
}

nlohmann::json PointsByScore() {
  std::mt19937 random(11);
  nlohmann::json limits = nlohmann::json::array(), speeds = nlohmann::json::array();
  for (const config::TechniqueLimit& limit :
       {LimitOn("m", {}, 36, 2), LimitOn("m", 0.1, {}, 3), LimitOn("m", 28, 32, 1), LimitOn("m", {}, 0, 2)}) {
    limits.push_back(LimitPoints(limit, &random));
  }
  for (const int hundredths : {600, 333, 1, 0}) {
    const Points most = Points::FromHundredths(hundredths);
    for (const auto& scale : {Linear(500, 1500), Linear(0.3, 0.8), Linear(0, 1e-3), Steps()}) {
      speeds.push_back(SpeedPoints(scale, most, &random));
    }
  }
  return {{"limits", std::move(limits)}, {"speeds", std::move(speeds)}};
}

}  // namespace warpgrade::report
