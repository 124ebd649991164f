// The data for the page of the thresholds: points as whole hundredths, which JavaScript adds exactly, and the values of
// each limit and scale. thresholds.js draws them. Tests: tests/report/html_thresholds_test.cc; and tests/report/html/
// compares the rules of the page with those of grader/score.
#include "grader/report/html_thresholds.h"

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>
#include <optional>
#include <utility>

#include "grader/report/html_json.h"
#include "grader/report/html_parts.h"
#include "grader/report/text.h"
#include "grader/report/words.h"

namespace warpgrade::report {
namespace {

using SpreadJson = nlohmann::ordered_json;
using ScaleUnit = config::ThroughputScale::Unit;

// The submissions with a result get new numbers, from 0 on.
class Numbering {
 public:
  Numbering(const score::ClassSpread& spread, const score::GradingReport& report) {
    for (size_t i = 0; i < report.submissions.size() && i < spread.totals.size(); ++i) {
      numbers_.push_back(static_cast<int64_t>(ids_.size()));
      if (!spread.totals[i]) continue;
      ids_.push_back(PrintableLine(report.submissions[i].id));
      totals_.push_back(spread.totals[i]->hundredths());
    }
  }
  int64_t Of(size_t submission) const { return numbers_.at(submission); }
  const SpreadJson& ids() const { return ids_; }
  const SpreadJson& totals() const { return totals_; }

 private:
  std::vector<int64_t> numbers_;
  SpreadJson ids_ = SpreadJson::array(), totals_ = SpreadJson::array();
};

SpreadJson FiniteJson(const std::optional<double>& value) {
  return value && std::isfinite(*value) ? SpreadJson(*value) : SpreadJson(nullptr);
}

std::string MetricWords(std::string metric) {
  std::replace(metric.begin(), metric.end(), '_', ' ');
  return PrintableLine(metric);
}

SpreadJson LimitSpreadJson(const score::LimitSpread& limit, const Numbering& numbering) {
  SpreadJson samples = SpreadJson::array();
  for (const score::LimitSample& sample : limit.samples) {
    // A value of the answer that is no number misses every limit, as `false` does.
    const bool no_number = sample.of_answer && !std::isfinite(*sample.of_answer);
    samples.push_back({numbering.Of(sample.submission), FiniteJson(sample.value), FiniteJson(sample.of_answer),
                       sample.others_hold && !no_number});
  }
  return {{"metric", PrintableLine(limit.bounds.metric)},
          {"words", MetricWords(limit.bounds.metric)},
          {"unit", PrintableLine(limit.unit)},
          {"bounds", {FiniteJson(limit.bounds.min), FiniteJson(limit.bounds.max)}},
          {"points", limit.points.hundredths()},
          {"samples", std::move(samples)}};
}

const char* UnitWords(ScaleUnit unit) {
  switch (unit) {
    case ScaleUnit::kGigabytesPerSecond:
      return "GB/s";
    case ScaleUnit::kGigaflopsPerSecond:
      return "GFLOP/s";
    case ScaleUnit::kShareOfCopy:
      return "share of copy";
    case ScaleUnit::kShareOfSolution:
      return "share of solution";
  }
  return "";
}

SpreadJson SpeedSpreadJson(const score::SpeedSpread& speed, const Numbering& numbering) {
  SpreadJson scale = {{"zero", FiniteJson(speed.scale.zero)}, {"full", FiniteJson(speed.scale.full)}};
  if (!speed.scale.zero || !speed.scale.full) {
    scale = {{"steps", SpreadJson::array()}};
    for (const auto& step : speed.scale.steps) scale["steps"].push_back({step.at, step.points.hundredths()});
  }
  SpreadJson samples = SpreadJson::array();
  for (const score::SpeedSample& sample : speed.samples) {
    samples.push_back({numbering.Of(sample.submission), FiniteJson(sample.value)});
  }
  return {{"target", PrintableLine(speed.target)}, {"unit", UnitWords(speed.scale.unit)},
          {"points", speed.points.hundredths()},   {"scale", std::move(scale)},
          {"samples", std::move(samples)},         {"flagged", speed.flagged},
          {"notMeasured", speed.not_measured}};
}

SpreadJson RungSpreadJson(const score::RungSpread& rung, const Numbering& numbering) {
  SpreadJson json = {
      {"name", PrintableLine(rung.rung)},
      {"most", rung.most.hundredths()},
      {"graded", rung.graded},
      {"right", rung.right},
      {"lost",
       {rung.lost_correctness.hundredths(), rung.lost_technique.hundredths(), rung.lost_throughput.hundredths()}}};
  json["limits"] = SpreadJson::array();
  for (const score::LimitSpread& limit : rung.limits) json["limits"].push_back(LimitSpreadJson(limit, numbering));
  json["inGroup"] = SpreadJson::array();
  for (const score::PointsSample& one : rung.of_group) {
    json["inGroup"].push_back({numbering.Of(one.submission), one.points.hundredths()});
  }
  json["speed"] = rung.speed ? SpeedSpreadJson(*rung.speed, numbering) : SpreadJson(nullptr);
  return json;
}

// The words for a check: those of a status, or the kind of a finding as it is.
std::string CheckWords(const std::string& check) {
  for (int i = 0; i <= static_cast<int>(score::RungStatus::kMissing); ++i) {
    const auto status = static_cast<score::RungStatus>(i);
    if (check == score::Name(status)) return StatusWords(status);
  }
  return PrintableLine(check);
}

}  // namespace

std::string ThresholdsData(const score::ClassSpread& spread, const score::GradingReport& report,
                           const std::vector<std::string>& notes) {
  const Numbering numbering(spread, report);
  SpreadJson json = {{"course", PrintableLine(report.course)},
                     {"device", DeviceWords(report.device)},
                     {"kit", PrintableLine(report.kit_version)},
                     {"ids", numbering.ids()},
                     {"totals", numbering.totals()}};
  json["notes"] = json["checks"] = json["labs"] = SpreadJson::array();
  for (const std::string& note : notes) json["notes"].push_back(Printable(note));
  for (const score::CheckSpread& check : spread.checks) {
    json["checks"].push_back({CheckWords(check.check), check.submissions, check.rungs, check.lost.hundredths()});
  }
  for (const score::LabSpread& lab : spread.labs) {
    SpreadJson rungs = SpreadJson::array();
    for (const score::RungSpread& rung : lab.rungs) rungs.push_back(RungSpreadJson(rung, numbering));
    SpreadJson best_of = SpreadJson::array();
    for (const config::BestOf& group : lab.best_of) best_of.push_back({{"best", group.best}, {"of", group.of}});
    json["labs"].push_back({{"name", PrintableLine(lab.lab)},
                            {"title", PrintableLine(lab.title)},
                            {"rungs", std::move(rungs)},
                            {"bestOf", std::move(best_of)}});
  }
  return ScriptSafe(json);
}

std::string ThresholdsPage(const score::ClassSpread& spread, const score::GradingReport& report,
                           const std::vector<std::string>& notes) {
  return PageOf(kThresholdsJs, ThresholdsData(spread, report, notes));
}

}  // namespace warpgrade::report
