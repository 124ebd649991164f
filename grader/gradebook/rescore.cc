// Takes the measurement of each rung out of the stored report and scores it anew. Each function that begins with Why
// says why this cannot be done for a rung, or "". When in doubt, the attempt counts as not known: a wrong mark is worse
// than none. Tests: tests/gradebook/rescore_test.cc, tests/cli/what_if_command_test.cc.
#include "grader/gradebook/rescore.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <optional>
#include <tuple>
#include <utility>

#include "grader/score/counting.h"
#include "grader/score/score.h"
#include "grader/score/throughput.h"

namespace warpgrade::gradebook {
namespace {

using config::Points;
using score::RungMeasurement;
using score::RungScore;
using score::RungStatus;
using Ceiling = score::ThroughputMeasurement::Ceiling;
using SpeedStatus = score::ThroughputMeasurement::Status;
using Unit = config::ThroughputScale::Unit;

// The two courses, and what is the same for all rungs of one grading.
struct Rules {
  const config::Course& before;
  const config::Course& after;
  score::ScoringContext context;                  // by `after`
  const config::Target* target_before = nullptr;  // of the GPU
  const config::Target* target_after = nullptr;
};

auto Peaks(const config::Target* target) {
  return target == nullptr ? std::tuple<std::optional<double>, std::optional<double>, std::optional<double>>()
                           : std::tuple(target->peak_bandwidth_gb_s, target->peak_gflop_s, target->peak_tensor_gflop_s);
}

bool SameLimits(const config::Course& a, const config::Course& b) {
  const auto build = [](const config::BuildLimits& l) {
    return std::tuple(l.wall_s, l.cpu_s, l.memory_mb, l.output_kb, l.file_mb);
  };
  const auto run = [](const config::RunLimits& l) {
    return std::tuple(l.wall_s, l.cpu_s, l.memory_mb, l.output_kb, l.file_mb, l.host_visible_kb, l.instruction_budget,
                      l.total_instruction_budget);
  };
  return build(a.build_limits) == build(b.build_limits) && run(a.run_limits) == run(b.run_limits);
}

bool SameAllowance(const config::Allowance& a, const config::Allowance& b) {
  return a.headers == b.headers && a.symbols == b.symbols;
}

const config::Rung* FindRung(const config::Course& course, const std::string& lab, const std::string& rung) {
  const config::Lab* rules = course.FindLab(lab);
  if (rules == nullptr) return nullptr;
  const auto found = std::find_if(rules->rungs.begin(), rules->rungs.end(),
                                  [&rung](const config::Rung& one) { return one.name == rung; });
  return found == rules->rungs.end() ? nullptr : &*found;
}

// Nothing of the student's was built.
bool WasNotRun(const RungMeasurement& measurement) { return measurement.status == RungStatus::kMissing; }

std::string WhyNotSameRun(const Rules& rules, const config::Rung* before, const config::Rung& after,
                          const RungMeasurement& measurement) {
  if (WasNotRun(measurement)) return "";
  if (!SameLimits(rules.before, rules.after)) return "`limits` have changed";
  if (before != nullptr && !SameAllowance(before->allow, after.allow)) return "`allow` has changed";
  return "";
}

// Results of older kits have only the values of the limits of then, and do not say which of two values it is.
std::string WhyNotSameMetrics(const RungScore& scored, const RungScore& now, bool has_all_metrics) {
  if (has_all_metrics || now.measurement.status != RungStatus::kPassed) return "";
  std::vector<score::BoundsResult> known;
  for (const score::TechniqueResult& limit : scored.technique) {
    known.push_back(limit);
    known.insert(known.end(), limit.provided.begin(), limit.provided.end());
  }
  const auto is_known = [&known](const score::BoundsResult& one) {
    return std::any_of(known.begin(), known.end(), [&one](const score::BoundsResult& other) {
      return other.metric == one.metric && other.limit == one.limit;
    });
  };
  for (const score::TechniqueResult& limit : now.technique) {
    bool all = is_known(limit);
    for (const score::BoundsResult& bound : limit.provided) all = all && is_known(bound);
    if (!all) return fmt::format("the limit on {} is new, and an older kit did not keep all counts", limit.metric);
  }
  return "";
}

std::string WhyNotSameSpeed(const Rules& rules, const config::Rung* before, const config::Rung& after,
                            const RungMeasurement& measurement, bool was_timed) {
  if (!rules.context.on_gpu || measurement.status != RungStatus::kPassed || after.throughput == Points()) return "";
  const config::ThroughputScale* scale = score::FindScale(after, rules.context.target_id);
  if (scale == nullptr) return "";
  const score::ThroughputMeasurement& speed = measurement.throughput;
  if (speed.status == SpeedStatus::kNotMeasured) return was_timed ? "" : "it was not timed";
  if (scale->unit == Unit::kShareOfCopy && speed.ceiling_of != Ceiling::kCopy) return "it was not timed with a copy";
  if (scale->unit == Unit::kShareOfSolution && speed.ceiling_of != Ceiling::kSolution) {
    return "it was not timed with the solution";
  }
  if (speed.accepted) return "";
  const bool same_peak = Peaks(rules.target_before) == Peaks(rules.target_after) &&
                         (before == nullptr || before->arithmetic == after.arithmetic);
  return same_peak ? "" : "the peaks that its speed is compared with have changed";
}

// The counts that the limits of then were compared with.
void TakeMetricsOfLimits(const RungScore& scored, RungMeasurement* measurement) {
  for (const score::TechniqueResult& limit : scored.technique) {
    if (limit.value) measurement->metrics.emplace(limit.metric, *limit.value);
    for (const score::BoundsResult& bound : limit.provided) {
      if (bound.value) measurement->metrics.emplace(bound.metric, *bound.value);
    }
  }
}

// One attempt.
class Attempted {
 public:
  Attempted(Gradebook* book, const Rules& rules, const Attempt& attempt, const score::LabScore& graded)
      : book_(*book), rules_(rules), attempt_(attempt), graded_(graded) {}

  // nullopt: `why` says why not.
  Result<std::optional<score::LabScore>> Score(const config::Lab& lab) {
    score::LabScore result;
    result.lab = lab.name;
    result.title = lab.title;
    for (const config::Rung& rung : lab.rungs) {
      const auto scored = ScoreRung(lab, rung);
      if (!scored) return scored.error();
      if (!*scored) return std::optional<score::LabScore>();
      score::AddRung(**scored, &result);
    }
    if (lab.quiz) {
      const auto quiz = ScoreQuiz(lab);
      if (!quiz) return quiz.error();
      if (!*quiz) return std::optional<score::LabScore>();
      score::AddRung(**quiz, &result);
    }
    score::CountPoints(lab.counting, &result);
    return std::optional(std::move(result));
  }
  const std::string& why() const { return why_; }

 private:
  using Maybe = Result<std::optional<RungScore>>;

  Maybe NotKnown(const std::string& rung, const std::string& why) {
    why_ = rung + ": " + why;
    return std::optional<RungScore>();
  }

  const RungScore* Graded(const std::string& rung) const {
    const auto found = std::find_if(graded_.rungs.begin(), graded_.rungs.end(),
                                    [&rung](const RungScore& one) { return one.rung == rung; });
    return found == graded_.rungs.end() ? nullptr : &*found;
  }

  Result<bool> HandedIn(const std::string& file) {
    if (!files_) {
      Result<HandIn> hand_in = book_.Read(attempt_);
      if (!hand_in) return hand_in.error();
      files_ = std::move(hand_in->files);
    }
    return files_->contains(attempt_.lab + "/" + file);
  }

  Maybe ScoreRung(const config::Lab& lab, const config::Rung& rung) {
    const RungScore* graded = Graded(rung.name);
    if (graded == nullptr) {
      const Result<bool> has = HandedIn(rung.name + ".cu");
      if (!has) return has.error();
      if (*has) return NotKnown(rung.name, "it is new in course.yaml");
      RungMeasurement missing;
      missing.status = RungStatus::kMissing;
      return std::optional(score::ScoreRung(rung, missing, rules_.context));
    }
    RungMeasurement measurement = graded->measurement;
    const config::Rung* before = FindRung(rules_.before, lab.name, rung.name);
    const bool has_all_metrics = !measurement.metrics.empty();
    TakeMetricsOfLimits(*graded, &measurement);
    measurement.technique_measured = !measurement.metrics.empty();
    score::ScoringContext context = rules_.context;
    if (measurement.throughput.accepted) context.peaks = {};  // a person has looked at it
    RungScore now = score::ScoreRung(rung, measurement, context);
    const config::Lab* lab_before = rules_.before.FindLab(lab.name);
    const bool was_timed = before != nullptr && lab_before != nullptr && score::IsTimed(*lab_before, *before);
    for (const std::string& why :
         {WhyNotSameRun(rules_, before, rung, measurement), WhyNotSameMetrics(*graded, now, has_all_metrics),
          WhyNotSameSpeed(rules_, before, rung, measurement, was_timed)}) {
      if (!why.empty()) return NotKnown(rung.name, why);
    }
    return std::optional(std::move(now));
  }

  Maybe ScoreQuiz(const config::Lab& lab) {
    const RungScore* graded = Graded(config::kQuizName);
    if (graded == nullptr) {
      const Result<bool> has = HandedIn("answers.yaml");
      if (!has) return has.error();
      if (*has) return NotKnown(config::kQuizName, "it is new in course.yaml");
      return std::optional(score::ScoreQuiz(*lab.quiz, RungMeasurement()));
    }
    const bool same_numbers = rules_.before.name == rules_.after.name && rules_.before.term == rules_.after.term;
    if (!same_numbers && !WasNotRun(graded->measurement)) {
      return NotKnown(config::kQuizName, "its numbers depend on the name and the term of the course");
    }
    return std::optional(score::ScoreQuiz(*lab.quiz, graded->measurement));
  }

  Gradebook& book_;
  const Rules& rules_;
  const Attempt& attempt_;
  const score::LabScore& graded_;
  std::optional<std::map<std::string, std::string>> files_;
  std::string why_;
};

Rules RulesFor(const config::Course& before, const config::Course& after, const Conditions& conditions) {
  Rules rules{before, after, {}, before.FindTarget(conditions.device_name), after.FindTarget(conditions.device_name)};
  rules.context.on_gpu = conditions.device_kind == "gpu";
  if (!rules.context.on_gpu || rules.target_after == nullptr) return rules;
  rules.context.target_id = rules.target_after->id;
  rules.context.peaks.gb_s = rules.target_after->peak_bandwidth_gb_s;
  rules.context.peaks.gflop_s = rules.target_after->peak_gflop_s;
  rules.context.peaks.tensor_gflop_s = rules.target_after->peak_tensor_gflop_s;
  return rules;
}

}  // namespace

Result<Rescored> Rescore(Gradebook* book, const Change& change) {
  Rescored rescored;
  for (const auto& [name, rules_before] : change.labs) {
    const config::Lab* lab = change.after.FindLab(name);
    if (lab == nullptr) continue;
    const Result<std::vector<Attempt>> attempts = book->Attempts("", name);
    if (!attempts) return attempts.error();
    for (const Attempt& attempt : *attempts) {
      if (!attempt.grading) continue;
      if (!rules_before.empty() && attempt.grading->conditions.rules != rules_before) {
        rescored.not_known.push_back({attempt.student, name, attempt.number,
                                      "it was graded by other rules than those that the change is compared with"});
        continue;
      }
      const Result<score::GradingReport> report = book->Report(attempt.grading->measured);
      if (!report) return report.error();
      const score::LabScore& graded = report->submissions.at(0).labs.at(0);
      const Rules rules = RulesFor(change.before, change.after, attempt.grading->conditions);
      Attempted attempted(book, rules, attempt, graded);
      auto score = attempted.Score(*lab);
      if (!score) return score.error();
      if (*score) {
        rescored.labs[attempt.grading->measured] = std::move(**score);
      } else {
        rescored.not_known.push_back({attempt.student, name, attempt.number, attempted.why()});
      }
    }
  }
  return rescored;
}

}  // namespace warpgrade::gradebook
