// Reads the results of the attempts that count, applies overrides and deductions, and adds up. It knows no SQL:
// gradebook.h has all that it reads. Tests: tests/gradebook/marks_test.cc, tests/gradebook/counted_test.cc.
#include "grader/gradebook/marks.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>
#include <utility>

#include "grader/lab/parallel.h"
#include "grader/result/counted.h"
#include "grader/score/counting.h"
#include "grader/score/late.h"
#include "grader/score/score.h"
#include "grader/score/visibility.h"
#include "grader/times/times.h"

namespace warpgrade::gradebook {
namespace {

using config::Points;

std::map<std::string, OverridesByPlace> ByStudent(std::vector<Override> all) {
  std::map<std::string, std::vector<Override>> by_student;
  for (Override& one : all) by_student[one.student].push_back(std::move(one));
  std::map<std::string, OverridesByPlace> counting;
  for (auto& [student, of_student] : by_student) counting[student] = CountingOverrides(std::move(of_student));
  return counting;
}

// Reads the results of the attempts that count.
class Results {
 public:
  Results(Gradebook* book, bool details) : book_(*book), details_(details) {}

  // `instead`: see MarksOptions.
  Status Load(const std::vector<CountedAttempt>& counting, const std::map<int64_t, score::LabScore>* instead) {
    if (Status read = Read(counting); !read.ok() || instead == nullptr) return read;
    for (auto& [measured, lab] : labs_) {
      if (const auto other = instead->find(measured); other != instead->end()) lab = other->second;
    }
    return Status();
  }

  // Once for each attempt: at most one attempt of a student and lab counts, and no two others share a result.
  score::LabScore Take(const Grading& grading) { return std::move(labs_.at(grading.measured)); }

  // Of the latest grading, since a report has one device.
  void Describe(const std::vector<CountedAttempt>& counting, score::GradingReport* report) const {
    const Grading* latest = nullptr;
    for (const CountedAttempt& counted : counting) {
      const std::optional<Grading>& grading = counted.attempt.grading;
      if (grading && (latest == nullptr || grading->key > latest->key)) latest = &*grading;
    }
    if (latest == nullptr) return;
    report->kit_version = latest->conditions.kit_version;
    report->course = latest->course;
    if (details_) {
      report->device = device_;
      report->sandbox = sandbox_;
    }
    report->device.kind = latest->conditions.device_kind;
    report->device.name = latest->conditions.device_name;
  }

 private:
  Status Read(const std::vector<CountedAttempt>& counting) {
    if (!details_) {
      std::vector<const Attempt*> attempts;
      attempts.reserve(counting.size());
      for (const CountedAttempt& counted : counting) attempts.push_back(&counted.attempt);
      auto rungs = book_.Rungs(attempts);
      if (!rungs) return rungs.error();
      labs_ = std::move(*rungs);
      return Status();
    }
    std::vector<int64_t> measured;
    for (const CountedAttempt& counted : counting) {
      if (counted.attempt.grading) measured.push_back(counted.attempt.grading->measured);
    }
    Result<std::vector<score::GradingReport>> reports = book_.Reports(measured);
    if (!reports) return reports.error();
    for (size_t i = 0; i < reports->size(); ++i) {
      score::GradingReport& report = reports->at(i);
      labs_[measured[i]] = std::move(report.submissions.at(0).labs.at(0));
      device_ = std::move(report.device);
      sandbox_ = std::move(report.sandbox);
    }
    return Status();
  }

  Gradebook& book_;
  const bool details_;
  std::map<int64_t, score::LabScore> labs_;
  score::DeviceDescription device_;
  std::string sandbox_ = "none";
};

// Adds what stands beside the rungs: `points`, which may be negative, and why.
void AddBeside(const char* name, Points points, std::string why, score::LabScore* lab) {
  score::RungScore rung;
  rung.rung = name;
  rung.points = rung.correctness_points = points;
  rung.measurement.messages.push_back(std::move(why));
  score::AddRung(std::move(rung), lab);
}

// What `before` becomes.
Points After(const Override& by, Points before) {
  return by.is_change ? std::max(Points(), before + *by.points) : *by.points;
}

std::string OverrideWords(const Override& by, Points before) {
  const std::string change = by.is_change ? ChangeWords(*by.points) + " points: " : "";
  return fmt::format("{}{} {}instead of {}, by {} on {}: {}", change, After(by, before).ToString(),
                     by.is_change ? "" : "points ", before.ToString(), by.author, by.made_at, by.reason);
}

// For the lines of tables of marks. `what`: "v2_shared ", or "" for the whole lab.
void NoteOverride(const std::string& what, const Override& by, Points before, score::LabScore* lab) {
  lab->hand_in.changes.push_back(
      fmt::format("override: {}{} instead of {}", what, After(by, before).ToString(), before.ToString()));
}

void ChangeRung(const Override& by, score::LabScore* lab) {
  for (score::RungScore& rung : lab->rungs) {
    if (rung.rung != by.rung) continue;
    NoteOverride(by.rung + " ", by, rung.points, lab);
    rung.measurement.messages.push_back(OverrideWords(by, rung.points));
    const Points change = After(by, rung.points) - rung.points;
    rung.points += change;
    rung.correctness_points += change;
    lab->points += change;
    return;
  }
  // It was not graded, or the course lost it.
  NoteOverride(by.rung + " ", by, Points(), lab);
  AddBeside(by.rung.c_str(), After(by, Points()), OverrideWords(by, Points()), lab);
}

void ChangeLab(const Override& by, score::LabScore* lab) {
  const Points before = lab->points;
  NoteOverride("", by, before, lab);
  // Points that a person sets are not before or after anything.
  if (!by.is_change) lab->hand_in.late_points = Points();
  AddBeside(config::kOverrideName, After(by, before) - before, OverrideWords(by, before), lab);
}

void Deduct(const CountedAttempt& counted, const config::HandInRule& rule, score::LabScore* lab) {
  if (counted.days_late == 0) return;
  const Points lost = score::Deduction(rule, lab->points, counted.days_late - counted.grace_days);
  lab->hand_in.late_points = lost;
  lab->hand_in.changes.push_back(LateWords(counted) +
                                 (lost > Points() ? fmt::format(": {} points lost", lost.ToString()) : ""));
  std::string why =
      fmt::format("handed in {} late: at {}, due at {}", Counted(static_cast<uint64_t>(counted.days_late), "day"),
                  counted.attempt.handed_in, UtcText(counted.due.value_or(0)));
  if (counted.attempt.marked_late.value_or(false)) why += " (the platform marked it as late)";
  if (counted.grace_days > 0) {
    why += fmt::format("; {} without a deduction", Counted(static_cast<uint64_t>(counted.grace_days), "grace day"));
  }
  why += fmt::format("; {} of {} points are lost", lost.ToString(), lab->points.ToString());
  AddBeside(config::kLateName, Points() - lost, std::move(why), lab);
}

// Overrides of rungs, then what counts of the rungs, then the deduction for lateness, then the override of the whole
// lab. `rules` is null if the course does not have the lab any more: then the rungs count as when they were graded.
void Apply(const OverridesByPlace& overrides, const CountedAttempt* counted, const config::Lab* rules,
           score::LabScore* lab) {
  const Override* whole = nullptr;
  for (const auto& [place, one] : overrides) {
    if (place.first != lab->lab) continue;
    if (place.second.empty()) {
      whole = &one;
    } else {
      ChangeRung(one, lab);
    }
  }
  if (rules != nullptr) score::CountPoints(rules->counting, lab);
  if (counted != nullptr) Deduct(*counted, rules == nullptr ? config::HandInRule() : rules->hand_in, lab);
  if (whole != nullptr) ChangeLab(*whole, lab);
}

// Whether the points of the lab do not depend on its attempts.
bool IsSetByHand(const OverridesByPlace& overrides, const std::string& lab) {
  const auto whole = overrides.find({lab, ""});
  return whole != overrides.end() && !whole->second.is_change;
}

void AddUnfinished(const CountedAttempt& counted, const config::Lab* lab, score::SubmissionScore* submission) {
  const std::string reason = fmt::format("attempt {} is not graded yet", counted.ungraded);
  if (lab == nullptr || lab->rungs.empty()) {
    submission->unfinished.push_back({counted.attempt.lab, "all rungs", reason});
    return;
  }
  for (const config::Rung& rung : lab->rungs) submission->unfinished.push_back({lab->name, rung.name, reason});
}

// A student who is in the report.
struct Wanted {
  const Student& student;
  const std::vector<const CountedAttempt*>& counting;
  const OverridesByPlace& overrides;
};

// Chosen, not measured: another thread pays for the marks of eight students.
constexpr size_t kWorkOfAStudent = kWorkPerThread / 8;

// Makes the marks of students.
class Marker {
 public:
  Marker(const MarksOptions& options, Results* results) : options_(options), results_(*results) {}

  // `counting`: the attempts that count, one for each lab. Several threads may call it for different students.
  score::SubmissionScore MarksOf(const Student& student, const std::vector<const CountedAttempt*>& counting,
                                 const OverridesByPlace& overrides) const {
    std::vector<std::string> messages;
    score::SubmissionScore unfinished;
    std::map<std::string, score::LabScore> labs;
    std::map<std::string, const CountedAttempt*> counted_of;
    for (const CountedAttempt* counted : counting) {
      const Attempt& attempt = counted->attempt;
      messages.insert(messages.end(), attempt.notes.begin(), attempt.notes.end());
      counted_of[attempt.lab] = counted;
      if (attempt.grading) labs[attempt.lab] = results_.Take(*attempt.grading);
      if (counted->ungraded > 0 && !IsSetByHand(overrides, attempt.lab)) {
        AddUnfinished(*counted, RulesOf(attempt.lab), &unfinished);
      }
    }
    // Points for a lab that the student did not hand in, such as one that came by e-mail.
    for (const auto& [place, one] : overrides) {
      if (options_.lab.empty() || options_.lab == place.first) labs[place.first].lab = place.first;
    }
    std::vector<score::LabScore> scored;
    scored.reserve(labs.size());
    for (auto& [name, lab] : labs) {
      const config::Lab* const rules = RulesOf(name);
      const auto counted = counted_of.find(name);
      Apply(overrides, counted == counted_of.end() ? nullptr : counted->second, rules, &lab);
      if (rules != nullptr) lab.title = rules->title;
      if (counted != counted_of.end()) lab.hand_in.handed_in = counted->second->attempt.handed_in;
      scored.push_back(std::move(lab));
    }
    if (counting.empty() && scored.empty()) messages.push_back("nothing handed in");
    score::SubmissionScore marks = score::ScoreSubmission(student.id, std::move(scored));
    marks.messages = std::move(messages);
    marks.unfinished = std::move(unfinished.unfinished);
    return marks;
  }

 private:
  const config::Lab* RulesOf(const std::string& lab) const {
    return options_.course == nullptr ? nullptr : options_.course->FindLab(lab);
  }

  const MarksOptions& options_;
  Results& results_;
};

// "Lovelace, Ada" and "Ada Lovelace" have the last name "Lovelace".
score::StudentFacts FactsOf(const Student& student, const std::map<std::string, score::LabVisibility>& visibility) {
  score::StudentFacts facts;
  facts.id = student.id;
  facts.name = student.name;
  facts.email = student.email;
  facts.section = student.section;
  facts.canvas_id = student.canvas_id;
  facts.login = student.login;
  for (const auto& [lab, rules] : visibility) {
    const std::optional<int64_t> due = rules.dates.due;
    if (due && !student.extension.empty()) facts.due[lab] = WithExtension(*due, student.extension);
  }
  const size_t comma = student.name.find(", "), space = student.name.rfind(' ');
  if (comma != std::string::npos) {
    facts.last_name = student.name.substr(0, comma);
    facts.first_name = student.name.substr(comma + 2);
  } else if (space != std::string::npos) {
    facts.last_name = student.name.substr(space + 1);
    facts.first_name = student.name.substr(0, space);
  } else {
    facts.last_name = student.name;
  }
  return facts;
}

// The labs that files of marks have columns for: those of which there is an attempt, and the one that was asked for.
void ListLabs(const MarksOptions& options, const std::vector<CountedAttempt>& counting, score::GradingReport* report) {
  std::set<std::string> labs;
  if (!options.lab.empty()) labs.insert(options.lab);
  for (const CountedAttempt& counted : counting) labs.insert(counted.attempt.lab);
  for (const score::SubmissionScore& submission : report->submissions) {
    for (const score::LabScore& lab : submission.labs) labs.insert(lab.lab);
  }
  for (const std::string& name : labs) {
    score::AssignmentFacts& facts = report->assignments[name];
    facts.is_listed = true;
    const config::Lab* const rules = options.course == nullptr ? nullptr : options.course->FindLab(name);
    if (rules == nullptr) continue;
    facts.max_points = rules->Total();
    if (rules->due) facts.due = UtcText(*rules->due);
  }
}

}  // namespace

OverridesByPlace CountingOverrides(std::vector<Override> of_student) {
  OverridesByPlace counting;
  for (Override& one : of_student) {
    const std::pair<std::string, std::string> place = {one.lab, one.rung};
    if (one.points) {
      counting[place] = std::move(one);
    } else {
      counting.erase(place);
    }
  }
  return counting;
}

std::string LateWords(const CountedAttempt& counted) {
  if (counted.days_late == 0) return "";
  std::string words = Counted(static_cast<uint64_t>(counted.days_late), "day") + " late";
  if (counted.grace_days > 0) words += ", " + Counted(static_cast<uint64_t>(counted.grace_days), "grace day");
  return words;
}

std::string ChangeWords(config::Points change) {
  return change < config::Points() ? change.ToString() : "+" + change.ToString();
}

Result<score::GradingReport> CurrentMarks(Gradebook* book, const MarksOptions& options) {
  const Result<std::vector<CountedAttempt>> counting = CountedAttempts(book, options);
  if (!counting) return counting.error();
  Result<std::vector<Override>> all = book->Overrides(options.student);
  if (!all) return all.error();
  const Result<std::vector<Student>> students = book->Students();
  if (!students) return students.error();
  Results results(book, options.details);
  if (const Status loaded = results.Load(*counting, options.instead); !loaded.ok()) return loaded.error();

  std::map<std::string, std::vector<const CountedAttempt*>> counting_of;
  for (const CountedAttempt& counted : *counting) counting_of[counted.attempt.student].push_back(&counted);
  std::map<std::string, OverridesByPlace> overrides = ByStudent(std::move(*all));
  score::GradingReport report;
  if (options.course != nullptr) report.visibility = score::VisibilityOf(*options.course);
  std::vector<Wanted> wanted;
  for (const Student& student : *students) {
    if (!options.student.empty() && student.id != options.student) continue;
    const std::vector<const CountedAttempt*>& of_student = counting_of[student.id];
    const OverridesByPlace& of_overrides = overrides[student.id];
    if (of_student.empty() && of_overrides.empty() && !student.enrolled) continue;
    wanted.push_back({student, of_student, of_overrides});
    if (!student.name.empty() || student.enrolled) report.students[student.id] = FactsOf(student, report.visibility);
  }
  const Marker marker(options, &results);
  report.submissions.resize(wanted.size());
  ParallelFor(wanted.size(), wanted.size() * kWorkOfAStudent, [&](size_t begin, size_t end) {
    for (size_t i = begin; i < end; ++i) {
      report.submissions[i] = marker.MarksOf(wanted[i].student, wanted[i].counting, wanted[i].overrides);
    }
  });
  if (options.course != nullptr) report.course = options.course->name;
  results.Describe(*counting, &report);
  ListLabs(options, *counting, &report);
  return report;
}

}  // namespace warpgrade::gradebook
