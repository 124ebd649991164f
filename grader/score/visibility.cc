// MaySee alone decides. The rest removes what it refuses: rungs of a lab, contests, and what the cases of a rung show.
// Tests: tests/score/visibility_test.cc, and tests/report/visibility_test.cc for all formats.
#include "grader/score/visibility.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <utility>
#include <vector>

#include "grader/result/counted.h"
#include "grader/score/counting.h"
#include "grader/score/score.h"
#include "grader/times/times.h"

namespace warpgrade::score {
namespace {

using config::Points;
using config::Visibility;

// When students see it: "after the due date, 2026-11-22T23:59:59Z".
std::string WhenSeen(Visibility visibility, const VisibilityDates& dates) {
  switch (visibility) {
    case Visibility::kVisible:
      return "now";
    case Visibility::kAfterDue:
      return dates.due ? "after the due date, " + UtcText(*dates.due) : "after the due date";
    case Visibility::kAfterPublication:
      return dates.published ? "when the marks are published, " + UtcText(*dates.published)
                             : "when the marks are published";
    case Visibility::kHidden:
      break;
  }
  return "never";
}

// The rules for one lab of one student.
class LabRules {
 public:
  LabRules(const LabVisibility& rules, const VisibilityDates& dates, int64_t now)
      : rules_(rules), dates_(dates), now_(now) {}

  const VisibilityDates& dates() const { return dates_; }
  bool StudentsSee(Visibility visibility) const { return MaySee(visibility, dates_, Reader::kStudents, now_); }

  Visibility Of(const RungScore& rung) const { return IsBesideRungs(rung) ? Strictest() : OfRung(rung.rung); }

  Visibility OfCase(const std::string& rung, const std::string& name, int number) const {
    const auto known = rules_.rungs.find(rung);
    if (known == rules_.rungs.end()) return Visibility::kVisible;
    const config::CaseVisibility& cases = known->second.cases;
    if (number == 0) return cases.hidden_cases;
    const auto named = cases.named.find(name);
    return named == cases.named.end() ? cases.public_cases : named->second.visibility;
  }

  // What counts of the rungs that students see. A group is shown as a whole or not at all.
  config::CountingRule ShownCounting() const {
    config::CountingRule shown;
    for (const std::string& name : rules_.counting.bonus) {
      if (StudentsSee(OfRung(name))) shown.bonus.push_back(name);
    }
    for (const config::BestOf& group : rules_.counting.best_of) {
      const bool all = std::all_of(group.of.begin(), group.of.end(),
                                   [this](const std::string& name) { return StudentsSee(OfRung(name)); });
      if (all) shown.best_of.push_back(group);
    }
    return shown;
  }

  // Of all cases of the rung.
  Visibility StrictestCase(const std::string& rung) const {
    const auto known = rules_.rungs.find(rung);
    if (known == rules_.rungs.end()) return Visibility::kVisible;
    const config::CaseVisibility& cases = known->second.cases;
    Visibility strictest = std::max(cases.hidden_cases, cases.public_cases);
    for (const auto& [name, named] : cases.named) strictest = std::max(strictest, named.visibility);
    return strictest;
  }

  // Whether the sum of the lab tells nothing that students may not know. After publication the sum is their mark, even
  // if it has rungs that they never see.
  bool SumIsShown(const LabScore& lab) const {
    return std::all_of(lab.rungs.begin(), lab.rungs.end(), [this](const RungScore& rung) {
      const Visibility visibility = Of(rung);
      return StudentsSee(visibility == Visibility::kHidden ? Visibility::kAfterPublication : visibility);
    });
  }

 private:
  Visibility OfRung(const std::string& name) const {
    const auto known = rules_.rungs.find(name);
    return known == rules_.rungs.end() ? rules_.otherwise : known->second.rung;
  }

  Visibility Strictest() const {
    Visibility strictest = rules_.otherwise;
    for (const auto& [name, rung] : rules_.rungs) strictest = std::max(strictest, rung.rung);
    return strictest;
  }

  const LabVisibility& rules_;
  const VisibilityDates dates_;
  const int64_t now_;
};

// What students do not see of the cases of a rung that they see.
struct CasesLeftOut {
  int failures = 0, faults = 0;
  bool messages = false;
  Visibility strictest = Visibility::kVisible;
  bool any() const { return failures > 0 || faults > 0 || messages; }
};

// The messages of a rung do not say which case they are about. If students may not see all cases, they get the messages
// only where these cannot be about such a case: before the first case, in a right rung with all its counts, and where a
// case that they may see ended the rung, because public cases run first.
bool MessagesMayTell(const RungScore& rung, const CasesLeftOut& left_out) {
  const RungMeasurement& measurement = rung.measurement;
  if (measurement.messages.empty() && measurement.hint.empty()) return false;
  if (measurement.status == RungStatus::kPassed) {
    // A program that is right on the GPU may have failed on the emulator, in any case.
    return std::any_of(rung.technique.begin(), rung.technique.end(),
                       [](const TechniqueResult& result) { return !result.value; });
  }
  if (measurement.cases_run == 0) return false;
  if (left_out.failures > 0 || left_out.faults > 0) return true;
  const bool ended = measurement.status != RungStatus::kFailed;
  const bool in_public = !measurement.failures.empty() && measurement.failures.front().case_number > 0;
  return !(ended && in_public);
}

// Takes out of `rung` what students may not see of its cases.
CasesLeftOut TakeOutCases(const LabRules& rules, RungScore* rung) {
  CasesLeftOut left_out;
  const Visibility strictest = rules.StrictestCase(rung->rung);
  if (rules.StudentsSee(strictest)) return left_out;
  RungMeasurement& measurement = rung->measurement;
  const auto take_out = [&](const auto& one, int* count) {
    const Visibility visibility = rules.OfCase(rung->rung, one.case_name, one.case_number);
    if (rules.StudentsSee(visibility)) return false;
    ++*count;
    left_out.strictest = std::max(left_out.strictest, visibility);
    return true;
  };
  std::erase_if(measurement.failures, [&](const CaseFailure& one) { return take_out(one, &left_out.failures); });
  for (CaseFailure& one : measurement.failures) one.alike = 0;  // it would tell how hidden cases failed
  std::erase_if(measurement.findings, [&](const Finding& one) { return take_out(one, &left_out.faults); });
  if (MessagesMayTell(*rung, left_out)) {
    left_out.messages = !measurement.messages.empty();
    left_out.strictest = std::max(left_out.strictest, left_out.messages ? strictest : Visibility::kVisible);
    measurement.messages.clear();
    if (measurement.failures.empty() && measurement.findings.empty()) measurement.hint.clear();
  }
  return left_out;
}

// "1 fault and 2 failed cases".
std::string Words(const CasesLeftOut& left_out) {
  std::string words;
  if (left_out.faults > 0) words = Counted(static_cast<uint64_t>(left_out.faults), "fault");
  if (left_out.failures > 0) {
    words += (words.empty() ? "" : " and ") + Counted(static_cast<uint64_t>(left_out.failures), "failed case");
  }
  return words.empty() ? "messages of cases" : words;
}

// "students see this rung after the due date, 2026-11-22T23:59:59Z (after_due)".
std::string StaffNote(const std::string& what, Visibility visibility, const VisibilityDates& dates) {
  if (visibility == Visibility::kHidden) return fmt::format("students never see {} ({})", what, Name(visibility));
  return fmt::format("students see {} {} ({})", what, WhenSeen(visibility, dates), Name(visibility));
}

std::string CaseNote(const CasesLeftOut& left_out, const VisibilityDates& dates, bool for_staff) {
  const std::string words = Words(left_out);
  if (for_staff) return StaffNote(words + " of this rung", left_out.strictest, dates);
  if (left_out.strictest == Visibility::kHidden) return words + " are not shown";
  return fmt::format("{} are shown {}", words, WhenSeen(left_out.strictest, dates));
}

// All that is left out of a lab's rungs: what it is, and when it is shown.
using LeftOut = std::map<Visibility, std::vector<std::string>>;

void AddMessages(const LabScore& lab, const LeftOut& left_out, const VisibilityDates& dates,
                 std::vector<std::string>* messages) {
  for (const auto& [visibility, rungs] : left_out) {
    if (visibility == Visibility::kHidden) continue;
    messages->push_back(fmt::format("{}: {} {} shown {}", lab.lab, fmt::join(rungs, ", "),
                                    rungs.size() == 1 ? "is" : "are", WhenSeen(visibility, dates)));
  }
  if (lab.is_partial) messages->push_back(lab.lab + ": the points are only those of the rungs that are shown");
}

// What the whole lab has and the rungs of `shown` do not.
RungScore RestOf(const LabScore& whole, const LabScore& shown) {
  RungScore rest;
  rest.rung = config::kNotShownName;
  rest.points = rest.correctness_points = whole.points - shown.points;
  rest.max_points = rest.correctness_max = whole.max_points - shown.max_points;
  rest.measurable_points = whole.measurable_points - shown.measurable_points;
  rest.visibility_note = "the points of what is never shown";
  return rest;
}

// Makes `lab` what its student may see.
void ShowToStudent(const LabRules& rules, LabScore* lab, std::vector<std::string>* messages) {
  const bool whole = rules.SumIsShown(*lab);
  LeftOut left_out;
  bool any_in_rest = false;
  LabScore shown = *lab;
  shown.rungs.clear();
  shown.points = shown.max_points = shown.measurable_points = Points();
  for (RungScore& rung : lab->rungs) {
    const Visibility visibility = rules.Of(rung);
    const bool is_beside = IsBesideRungs(rung);
    if (rung.rung == config::kNotCountedName) continue;  // it is counted anew
    if (is_beside ? whole : rules.StudentsSee(visibility)) {
      const CasesLeftOut cases = TakeOutCases(rules, &rung);
      if (cases.any()) rung.visibility_note = CaseNote(cases, rules.dates(), false);
      AddRung(std::move(rung), &shown);
    } else {
      (whole ? any_in_rest : shown.is_partial) = true;
      if (!whole && !is_beside) left_out[visibility].push_back(rung.rung);
    }
  }
  CountPoints(rules.ShownCounting(), &shown);
  if (any_in_rest) AddRung(RestOf(*lab, shown), &shown);
  // These tell points, too.
  if (shown.is_partial || any_in_rest) shown.hand_in.changes.clear();
  if (shown.is_partial) shown.hand_in.late_points = Points();
  if (shown.is_partial) shown.whole_max = lab->max_points;
  *lab = std::move(shown);
  AddMessages(*lab, left_out, rules.dates(), messages);
}

void NoteForStaff(const LabRules& rules, LabScore* lab) {
  for (RungScore& rung : lab->rungs) {
    if (IsBesideRungs(rung)) continue;
    rung.visibility = rules.Of(rung);
    rung.hidden_now = !rules.StudentsSee(rung.visibility);
    RungScore for_student = rung;
    const CasesLeftOut cases = TakeOutCases(rules, &for_student);
    if (rung.hidden_now) {
      rung.visibility_note = StaffNote("this rung", rung.visibility, rules.dates());
    } else {
      rung.visibility_note = cases.any() ? CaseNote(cases, rules.dates(), true) : "";
    }
  }
}

void MarkForPlatform(const LabRules& rules, LabScore* lab) {
  for (RungScore& rung : lab->rungs) {
    rung.visibility = rules.Of(rung);
    const CasesLeftOut cases = TakeOutCases(rules, &rung);
    if (cases.any()) rung.visibility_note = CaseNote(cases, rules.dates(), false);
  }
}

// A rung that is not finished has no result, but the reason may tell something, such as the case in which the machine
// failed.
void HideReasons(const LabRules& rules, const std::string& lab, SubmissionScore* submission) {
  for (UnfinishedRung& rung : submission->unfinished) {
    RungScore named;
    named.rung = rung.rung;
    if (rung.lab != lab) continue;
    const bool sees_all = rules.StudentsSee(rules.Of(named)) && rules.StudentsSee(rules.StrictestCase(rung.rung));
    if (!sees_all) rung.reason = "grading did not end";
  }
}

VisibilityDates DatesOf(const GradingReport& report, const std::string& id, const std::string& lab,
                        const LabVisibility& rules) {
  VisibilityDates dates = rules.dates;
  const auto student = report.students.find(id);
  if (student == report.students.end()) return dates;
  const auto due = student->second.due.find(lab);
  if (due != student->second.due.end()) dates.due = due->second;
  return dates;
}

}  // namespace

bool MaySee(Visibility visibility, const VisibilityDates& dates, Reader reader, int64_t now) {
  if (reader == Reader::kStaff) return true;
  switch (visibility) {
    case Visibility::kVisible:
      return true;
    case Visibility::kAfterDue:
      return dates.due && now > *dates.due;
    case Visibility::kAfterPublication:
      return dates.published && now >= *dates.published;
    case Visibility::kHidden:
      break;
  }
  return false;
}

bool HidesCases(const config::CaseVisibility& cases) {
  return cases.public_cases != Visibility::kVisible || cases.hidden_cases != Visibility::kVisible ||
         std::any_of(cases.named.begin(), cases.named.end(),
                     [](const auto& named) { return named.second.visibility != Visibility::kVisible; });
}

std::map<std::string, LabVisibility> VisibilityOf(const config::Course& course) {
  std::map<std::string, LabVisibility> all;
  for (const config::Lab& lab : course.labs) {
    LabVisibility rules;
    rules.otherwise = lab.visibility;
    rules.dates = {lab.due, lab.published};
    rules.counting = lab.counting;
    bool shows_all = lab.visibility == Visibility::kVisible && lab.quiz_visibility == Visibility::kVisible;
    if (lab.quiz) rules.rungs[config::kQuizName].rung = lab.quiz_visibility;
    for (const config::Rung& rung : lab.rungs) {
      rules.rungs[rung.name] = {rung.visibility, rung.case_visibility};
      const config::CaseVisibility& cases = rung.case_visibility;
      shows_all &= rung.visibility == Visibility::kVisible && cases.public_cases == Visibility::kVisible &&
                   cases.hidden_cases == Visibility::kVisible && cases.named.empty();
      const bool in_contest = lab.leaderboard && std::find(lab.leaderboard->rungs.begin(), lab.leaderboard->rungs.end(),
                                                           rung.name) != lab.leaderboard->rungs.end();
      if (in_contest) rules.leaderboard = std::max(rules.leaderboard, rung.visibility);
    }
    if (!shows_all) all[lab.name] = std::move(rules);
  }
  return all;
}

GradingReport ReportFor(Reader reader, int64_t now, GradingReport report) {
  if (reader != Reader::kStaff) report.class_notes = {};
  if (report.visibility.empty()) return report;
  for (SubmissionScore& submission : report.submissions) {
    std::vector<std::string> messages;
    for (const auto& [lab, visibility] : report.visibility) {
      const LabRules rules(visibility, DatesOf(report, submission.id, lab, visibility), now);
      if (reader != Reader::kStaff) HideReasons(rules, lab, &submission);
      for (LabScore& scored : submission.labs) {
        if (scored.lab != lab) continue;
        if (reader == Reader::kStaff) NoteForStaff(rules, &scored);
        if (reader == Reader::kPlatform) MarkForPlatform(rules, &scored);
        if (reader == Reader::kStudents) ShowToStudent(rules, &scored, &messages);
      }
    }
    if (reader == Reader::kStudents) SumUpLabs(&submission);
    submission.messages.insert(submission.messages.begin(), messages.begin(), messages.end());
  }
  std::erase_if(report.leaderboards, [&](const Leaderboard& leaderboard) {
    const auto rules = report.visibility.find(leaderboard.lab);
    return rules != report.visibility.end() && !MaySee(rules->second.leaderboard, rules->second.dates,
                                                       reader == Reader::kStaff ? reader : Reader::kStudents, now);
  });
  return report;
}

}  // namespace warpgrade::score
