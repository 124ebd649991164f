// Scores each rung of the report anew by course.yaml, and collects what each limit and each scale was compared with.
// Tests: tests/score/thresholds_test.cc.
#include "grader/score/thresholds.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <set>
#include <utility>

#include "grader/score/counting.h"
#include "grader/score/throughput.h"

namespace warpgrade::score {
namespace {

using config::Points;

const LabScore* LabIn(const SubmissionScore& submission, const std::string& name) {
  for (const LabScore& lab : submission.labs) {
    if (lab.lab == name) return &lab;
  }
  return nullptr;
}

const RungScore* RungIn(const LabScore& lab, const std::string& name) {
  for (const RungScore& rung : lab.rungs) {
    if (rung.rung == name) return &rung;
  }
  return nullptr;
}

// The measurement with the values of its limits, which older results have in no other place.
RungMeasurement WithMetrics(const RungScore& graded) {
  RungMeasurement measurement = graded.measurement;
  for (const TechniqueResult& limit : graded.technique) {
    if (limit.value) measurement.metrics.emplace(limit.metric, *limit.value);
    for (const BoundsResult& bound : limit.provided) {
      if (bound.value) measurement.metrics.emplace(bound.metric, *bound.value);
    }
  }
  measurement.technique_measured = !measurement.metrics.empty();
  return measurement;
}

LimitSample SampleOf(size_t submission, const config::TechniqueLimit& limit, const TechniqueResult& result,
                     const RungMeasurement& measurement) {
  LimitSample sample{.submission = submission, .value = std::numeric_limits<double>::quiet_NaN(), .of_answer = {}};
  if (const auto value = measurement.metrics.find(limit.bounds.metric); value != measurement.metrics.end()) {
    sample.value = value->second;
  }
  const auto of_answer = measurement.answer_metrics.find(limit.bounds.metric);
  if (of_answer != measurement.answer_metrics.end()) sample.of_answer = of_answer->second;
  sample.others_hold = std::all_of(result.provided.begin(), result.provided.end(),
                                   [](const BoundsResult& bound) { return bound.passed; });
  return sample;
}

RungSpread Empty(const config::Rung& rung, const ScoringContext& context) {
  RungSpread spread;
  spread.rung = rung.name;
  spread.most = rung.Total();
  for (const config::TechniqueLimit& limit : rung.technique_limits) {
    const auto unit = context.metric_units.find(limit.bounds.metric);
    spread.limits.push_back({limit.bounds, unit == context.metric_units.end() ? "" : unit->second, limit.points, {}});
  }
  const config::ThroughputScale* scale = context.on_gpu ? FindScale(rung, context.target_id) : nullptr;
  if (scale == nullptr || rung.throughput == Points()) return spread;
  const bool own = rung.throughput_scales.contains(context.target_id);
  spread.speed = SpeedSpread{own ? context.target_id : "any", *scale, rung.throughput, {}, 0, 0};
  return spread;
}

// The checks of one submission that cost it points.
using ChecksOfOne = std::map<std::string, std::pair<size_t, Points>>;

void AddChecks(const RungScore& now, ChecksOfOne* checks) {
  std::set<std::string> kinds;
  for (const Finding& finding : now.measurement.findings) kinds.insert(finding.kind);
  if (kinds.empty()) kinds.insert(Name(now.measurement.status));
  for (const std::string& kind : kinds) {
    auto& [rungs, lost] = (*checks)[kind];
    ++rungs;
    lost += now.measurable_points;
  }
}

class Collector {
 public:
  Collector(const GradingReport& report, const ScoringContext& context) : report_(report), context_(context) {
    spread_.totals.resize(report.submissions.size());
    checks_of_.resize(report.submissions.size());
  }

  void AddLab(const config::Lab& lab) {
    LabSpread spread{.lab = lab.name, .title = lab.title, .rungs = {}, .best_of = lab.counting.best_of};
    bool is_there = false;
    anew_.assign(report_.submissions.size(), LabScore());
    for (const config::Rung& rung : lab.rungs) {
      spread.rungs.push_back(Empty(rung, context_));
      for (size_t i = 0; i < report_.submissions.size(); ++i) {
        const LabScore* scored = LabIn(report_.submissions[i], lab.name);
        if (scored == nullptr) continue;
        is_there = true;
        if (const RungScore* graded = RungIn(*scored, rung.name)) Add(i, rung, *graded, &spread.rungs.back());
      }
    }
    for (size_t i = 0; i < anew_.size(); ++i) {
      if (anew_[i].rungs.empty()) continue;
      CountPoints(lab.counting, &anew_[i]);
      spread_.totals[i] = spread_.totals[i].value_or(Points()) + anew_[i].points;
    }
    AddPointsOfGroups(&spread);
    if (is_there) spread_.labs.push_back(std::move(spread));
  }

  ClassSpread Take() {
    std::map<std::string, CheckSpread> checks;
    for (const ChecksOfOne& of_one : checks_of_) {
      for (const auto& [check, cost] : of_one) {
        CheckSpread& all = checks[check];
        all.check = check;
        ++all.submissions;
        all.rungs += cost.first;
        all.lost += cost.second;
      }
    }
    for (auto& [name, check] : checks) spread_.checks.push_back(std::move(check));
    std::stable_sort(spread_.checks.begin(), spread_.checks.end(),
                     [](const CheckSpread& a, const CheckSpread& b) { return a.lost > b.lost; });
    return std::move(spread_);
  }

 private:
  void AddPointsOfGroups(LabSpread* spread) const {
    for (const config::BestOf& group : spread->best_of) {
      for (RungSpread& rung : spread->rungs) {
        if (std::find(group.of.begin(), group.of.end(), rung.rung) == group.of.end()) continue;
        for (size_t i = 0; i < anew_.size(); ++i) {
          if (const RungScore* now = RungIn(anew_[i], rung.rung)) rung.of_group.push_back({i, now->points});
        }
      }
    }
  }

  void Add(size_t submission, const config::Rung& rung, const RungScore& graded, RungSpread* spread) {
    ScoringContext context = context_;
    if (graded.measurement.throughput.accepted) context.peaks = {};  // a person has looked at it
    const RungMeasurement measurement = WithMetrics(graded);
    const RungScore now = ScoreRung(rung, measurement, context);
    ++spread->graded;
    AddRung(now, &anew_[submission]);
    // An override changes the points for correctness, so that it may seem to be another rule.
    if (now.technique_points != graded.technique_points || now.throughput_points != graded.throughput_points ||
        now.max_points != graded.max_points) {
      ++spread_.other_rules;
    }
    spread->lost_correctness += now.correctness_max - now.correctness_points;
    spread->lost_technique += now.technique_max - now.technique_points;
    if (now.throughput_measurable) spread->lost_throughput += now.throughput_max - now.throughput_points;
    if (now.measurement.status != RungStatus::kPassed) {
      AddChecks(now, &checks_of_[submission]);
      return;
    }
    ++spread->right;
    for (size_t i = 0; i < rung.technique_limits.size(); ++i) {
      spread->limits[i].samples.push_back(
          SampleOf(submission, rung.technique_limits[i], now.technique[i], measurement));
    }
    if (spread->speed) AddSpeed(submission, now.measurement.throughput, &*spread->speed);
  }

  static void AddSpeed(size_t submission, const ThroughputMeasurement& measured, SpeedSpread* speed) {
    if (measured.status == ThroughputMeasurement::Status::kFlagged) {
      ++speed->flagged;
    } else if (const std::optional<double> value = InScaleUnit(speed->scale, measured)) {
      speed->samples.push_back({submission, *value});
    } else {
      ++speed->not_measured;
    }
  }

  const GradingReport& report_;
  const ScoringContext& context_;
  ClassSpread spread_;
  std::vector<ChecksOfOne> checks_of_;  // by submission
  std::vector<LabScore> anew_;          // the same; of the lab that is being added
};

}  // namespace

ClassSpread ThresholdsOf(const config::Course& course, const GradingReport& report, const ScoringContext& context) {
  Collector collector(report, context);
  for (const config::Lab& lab : course.labs) collector.AddLab(lab);
  return collector.Take();
}

}  // namespace warpgrade::score
