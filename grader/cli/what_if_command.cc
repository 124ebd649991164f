// `warpgrade what-if`: the marks of a gradebook by a changed course.yaml, compared with the marks now. Nothing is
// built, run or written. Tests: tests/cli/what_if_command_test.cc.
#include <fmt/format.h>

#include <algorithm>
#include <cstdio>
#include <map>
#include <memory>
#include <nlohmann/json.hpp>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "grader/cli/batch.h"
#include "grader/cli/book_marks.h"
#include "grader/cli/commands.h"
#include "grader/cli/executable_path.h"
#include "grader/cli/exit_code.h"
#include "grader/cli/metric_names.h"
#include "grader/config/kit.h"
#include "grader/gradebook/marks.h"
#include "grader/gradebook/rescore.h"
#include "grader/result/counted.h"
#include "grader/submission/printable.h"

namespace warpgrade::cli {
namespace {

using config::Points;

struct WhatIfOptions {
  std::string course_yaml, gradebook, before_yaml, lab;
  bool json = false;
};

// What one student has now and would have, in one lab.
struct MarkChange {
  std::string student, lab;
  Points now, then, now_most, then_most;
  // By rung, with what stands beside the rungs: those whose points change. A rung that is not there has none.
  std::vector<std::pair<std::string, std::pair<Points, Points>>> rungs;
};

struct Comparison {
  std::vector<MarkChange> changes;
  std::vector<gradebook::NotKnown> not_known;
  size_t students = 0, marks = 0;
  std::map<std::string, std::pair<Points, Points>> worth;  // labs whose points change: now, then
};

const score::LabScore* FindLab(const score::SubmissionScore& submission, const std::string& name) {
  for (const score::LabScore& lab : submission.labs) {
    if (lab.lab == name) return &lab;
  }
  return nullptr;
}

std::map<std::string, Points> PointsByRung(const score::LabScore& lab) {
  std::map<std::string, Points> points;
  for (const score::RungScore& rung : lab.rungs) points[rung.rung] += rung.points;
  return points;
}

MarkChange ChangeOf(const std::string& student, const score::LabScore& now, const score::LabScore& then) {
  MarkChange change{student, now.lab, now.points, then.points, now.max_points, then.max_points, {}};
  std::map<std::string, Points> before = PointsByRung(now), after = PointsByRung(then);
  for (const auto& [rung, points] : after) before.emplace(rung, Points());
  for (const auto& [rung, points] : before) {
    if (points != after[rung]) change.rungs.push_back({rung, {points, after[rung]}});
  }
  return change;
}

void Compare(const score::GradingReport& now, const score::GradingReport& then, Comparison* comparison) {
  for (size_t i = 0; i < now.submissions.size() && i < then.submissions.size(); ++i) {
    const score::SubmissionScore& student = now.submissions[i];
    ++comparison->students;
    for (const score::LabScore& lab : student.labs) {
      const score::LabScore* other = FindLab(then.submissions[i], lab.lab);
      if (other == nullptr) continue;
      ++comparison->marks;
      MarkChange change = ChangeOf(student.id, lab, *other);
      if (change.now != change.then || !change.rungs.empty()) comparison->changes.push_back(std::move(change));
    }
  }
}

// The labs whose attempts must be scored anew, with the rules by which they were graded.
Result<std::map<std::string, std::string>> ChangedLabs(const config::Kit& kit, const std::string& before,
                                                       const std::string& after, const config::Course& course) {
  std::map<std::string, std::string> changed;
  for (const config::Lab& lab : course.labs) {
    Result<std::string> rules_before = RulesHash(kit, before, lab.name);
    if (!rules_before) return rules_before.error();
    const Result<std::string> rules_after = RulesHash(kit, after, lab.name);
    if (!rules_after) return rules_after.error();
    if (*rules_before != *rules_after) changed[lab.name] = std::move(*rules_before);
  }
  return changed;
}

Result<Comparison> Predict(const WhatIfOptions& options) {
  auto book = gradebook::Gradebook::Open(options.gradebook, gradebook::Access::kRead, WARPGRADE_VERSION);
  if (!book) return book.error();
  Result<config::Kit> kit = config::FindKit(ExecutablePath());
  if (!kit) return kit.error();
  const Result<std::string> before_yaml = CoursePathOf(&*book, options.before_yaml);
  if (!before_yaml) return before_yaml.error();
  const Result<config::Course> before = CourseAt(*before_yaml);
  if (!before) return before.error();
  const Result<config::Course> after = config::LoadCourse(options.course_yaml, MetricNames(), kit->Rungs());
  if (!after) return after.error();
  config::AddOutsideLabs(*after, &*kit);
  if (!options.lab.empty()) {
    if (const Status known = CheckLab(*after, options.lab); !known.ok()) return known.error();
  }
  const auto labs = ChangedLabs(*kit, *before_yaml, options.course_yaml, *after);
  if (!labs) return labs.error();
  auto rescored = gradebook::Rescore(&*book, {*before, *after, *labs});
  if (!rescored) return rescored.error();
  const auto now =
      gradebook::CurrentMarks(&*book, {.student = "", .lab = options.lab, .details = false, .course = &*before});
  if (!now) return now.error();
  const auto then = gradebook::CurrentMarks(
      &*book, {.student = "", .lab = options.lab, .details = false, .course = &*after, .instead = &rescored->labs});
  if (!then) return then.error();
  Comparison comparison;
  Compare(*now, *then, &comparison);
  for (const config::Lab& lab : after->labs) {
    const config::Lab* other = before->FindLab(lab.name);
    if (other == nullptr || other->Total() == lab.Total()) continue;
    if (options.lab.empty() || options.lab == lab.name) comparison.worth[lab.name] = {other->Total(), lab.Total()};
  }
  for (gradebook::NotKnown& one : rescored->not_known) {
    if (options.lab.empty() || options.lab == one.lab) comparison.not_known.push_back(std::move(one));
  }
  return comparison;
}

std::string TextOf(const MarkChange& change) {
  std::string rungs;
  for (const auto& [rung, points] : change.rungs) {
    rungs += fmt::format("{}{} {} -> {}", rungs.empty() ? "" : ", ", rung, points.first.ToString(),
                         points.second.ToString());
  }
  const auto words = [](Points points, Points most) { return points.ToString() + "/" + most.ToString(); };
  return fmt::format("  {:<16} {:<6} {:>9} -> {:<9} {:>6}   {}\n", submission::Escaped(change.student), change.lab,
                     words(change.now, change.now_most), words(change.then, change.then_most),
                     gradebook::ChangeWords(change.then - change.now), submission::Escaped(rungs));
}

std::string TextOf(const Comparison& comparison, const WhatIfOptions& options) {
  std::string text;
  std::set<std::string> students;
  size_t up = 0, down = 0;
  for (const MarkChange& change : comparison.changes) {
    text += TextOf(change);
    students.insert(change.student);
    up += change.then > change.now ? 1 : 0;
    down += change.then < change.now ? 1 : 0;
  }
  if (!text.empty()) text += "\n";
  for (const auto& [lab, points] : comparison.worth) {
    text +=
        fmt::format("{} is worth {} points instead of {}\n", lab, points.second.ToString(), points.first.ToString());
  }
  text += fmt::format("{} of {} change: {} marks higher, {} lower, of {} marks\n", students.size(),
                      Counted(comparison.students, "student"), up, down, comparison.marks);
  if (comparison.not_known.empty()) return text;
  text += fmt::format("\n{} must be graded again before the marks are known; above, they count as now:\n",
                      Counted(comparison.not_known.size(), "attempt"));
  for (const gradebook::NotKnown& one : comparison.not_known) {
    text += fmt::format("  {} {} attempt {}: {}\n", submission::Escaped(one.student), one.lab, one.attempt, one.why);
  }
  return text + fmt::format("`warpgrade book regrade {} --changed --course {}` grades them\n", options.gradebook,
                            options.course_yaml);
}

std::string JsonOf(const Comparison& comparison) {
  nlohmann::ordered_json changes = nlohmann::ordered_json::array(), not_known = nlohmann::ordered_json::array();
  for (const MarkChange& change : comparison.changes) {
    nlohmann::ordered_json rungs = nlohmann::ordered_json::array();
    for (const auto& [rung, points] : change.rungs) {
      rungs.push_back({{"rung", rung}, {"now", points.first.ToDouble()}, {"then", points.second.ToDouble()}});
    }
    changes.push_back({{"student", change.student},
                       {"lab", change.lab},
                       {"now", change.now.ToDouble()},
                       {"then", change.then.ToDouble()},
                       {"max_now", change.now_most.ToDouble()},
                       {"max_then", change.then_most.ToDouble()},
                       {"rungs", std::move(rungs)}});
  }
  for (const gradebook::NotKnown& one : comparison.not_known) {
    not_known.push_back({{"student", one.student}, {"lab", one.lab}, {"attempt", one.attempt}, {"why", one.why}});
  }
  const nlohmann::ordered_json json = {{"changes", std::move(changes)}, {"not_known", std::move(not_known)}};
  return json.dump(2, ' ', false, nlohmann::ordered_json::error_handler_t::replace) + "\n";
}

int WhatIf(const WhatIfOptions& options) {
  const Result<Comparison> comparison = Predict(options);
  if (!comparison) return Fail(comparison.error());
  fmt::print("{}", options.json ? JsonOf(*comparison) : TextOf(*comparison, options));
  return kDone;
}

}  // namespace

void AddWhatIfCommand(CLI::App& app, int* exit_code) {
  CLI::App* command =
      app.add_subcommand("what-if", "Say whose marks a changed course.yaml would change, without grading");
  command->footer(
      "Examples:\n"
      "  warpgrade what-if new-course.yaml --gradebook marks.db\n"
      "                                         whose marks would change, by how much, and in which rungs\n"
      "  warpgrade what-if new-course.yaml --gradebook marks.db --lab lab2 --json\n"
      "                                         one lab, for programs\n"
      "\n"
      "The marks come from what was measured when the attempts were graded, so nothing is built or run, and the\n"
      "gradebook stays as it is. They are those that `warpgrade book regrade --changed` would give. Attempts that "
      "must\n"
      "run again to know (other limits of running, a rung that is new) are named.\n"
      "\n" +
      std::string(kExitStatusHelp));
  auto options = std::make_shared<WhatIfOptions>();
  command->add_option("changed", options->course_yaml, "The changed course.yaml")->required()->type_name("FILE");
  command->add_option("--gradebook", options->gradebook, "The gradebook that `warpgrade batch` wrote")
      ->required()
      ->type_name("FILE");
  // The course that the gradebook goes by now.
  AddBookCourseOption(command, &options->before_yaml);
  command->add_option("--lab", options->lab, "Only this lab")->type_name("LAB");
  command->add_flag("--json", options->json, "Print JSON for programs");
  command->callback([options, exit_code] { *exit_code = WhatIf(*options); });
}

}  // namespace warpgrade::cli
