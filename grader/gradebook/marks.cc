// Chooses the attempts that count, reads their results, applies overrides and adds up. It knows no SQL: gradebook.h has
// all that it reads. Tests: tests/gradebook/marks_test.cc.
#include "grader/gradebook/marks.h"

#include <fmt/format.h>

#include <algorithm>
#include <tuple>
#include <utility>

#include "grader/score/score.h"

namespace warpgrade::gradebook {
namespace {

using config::Points;

// By lab and rung: the override that counts.
using Overrides = std::map<std::pair<std::string, std::string>, Override>;

std::map<std::string, Overrides> ByStudent(std::vector<Override> all) {
  std::map<std::string, Overrides> by_student;
  for (Override& one : all) {
    Overrides& of_student = by_student[one.student];
    const std::pair<std::string, std::string> place = {one.lab, one.rung};
    if (one.points) {
      of_student[place] = std::move(one);
    } else {
      of_student.erase(place);
    }
  }
  return by_student;
}

// Reads the results of the attempts that count.
class Results {
 public:
  Results(Gradebook* book, bool details) : book_(*book), details_(details) {}

  Status Load(const std::vector<Attempt>& counting) {
    if (!details_) {
      auto rungs = book_.Rungs(counting);
      if (!rungs) return rungs.error();
      labs_ = std::move(*rungs);
      return Status();
    }
    for (const Attempt& attempt : counting) {
      if (!attempt.grading) continue;
      Result<score::GradingReport> report = book_.Report(attempt.grading->measured);
      if (!report) return report.error();
      labs_[attempt.grading->measured] = report->submissions.at(0).labs.at(0);
      device_ = report->device;
      sandbox_ = report->sandbox;
    }
    return Status();
  }

  score::LabScore Of(const Grading& grading) const { return labs_.at(grading.measured); }

  // Of the latest grading, since a report has one device.
  void Describe(const std::vector<Attempt>& counting, score::GradingReport* report) const {
    const Grading* latest = nullptr;
    for (const Attempt& attempt : counting) {
      if (attempt.grading && (latest == nullptr || attempt.grading->key > latest->key)) latest = &*attempt.grading;
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
  Gradebook& book_;
  const bool details_;
  std::map<int64_t, score::LabScore> labs_;
  score::DeviceDescription device_;
  std::string sandbox_ = "none";
};

std::string OverrideWords(const Override& by, Points before) {
  return fmt::format("{} points instead of {}, by {} on {}: {}", by.points->ToString(), before.ToString(), by.author,
                     by.made_at, by.reason);
}

void ChangeRung(const Override& by, score::LabScore* lab) {
  for (score::RungScore& rung : lab->rungs) {
    if (rung.rung != by.rung) continue;
    rung.measurement.messages.push_back(OverrideWords(by, rung.points));
    const Points change = *by.points - rung.points;
    rung.points += change;
    rung.correctness_points += change;
    lab->points += change;
    return;
  }
  // It was not graded, or is no longer in the course.
  score::RungScore rung;
  rung.rung = by.rung;
  rung.points = rung.correctness_points = *by.points;
  rung.measurement.messages.push_back(OverrideWords(by, Points()));
  score::AddRung(std::move(rung), lab);
}

void ChangeLab(const Override& by, score::LabScore* lab) {
  score::RungScore rung;
  rung.rung = kOverrideRung;
  rung.points = rung.correctness_points = *by.points - lab->points;
  rung.measurement.messages.push_back(OverrideWords(by, lab->points));
  score::AddRung(std::move(rung), lab);
}

void Apply(const Overrides& overrides, score::LabScore* lab) {
  const Override* whole = nullptr;
  for (const auto& [place, one] : overrides) {
    if (place.first != lab->lab) continue;
    if (place.second.empty()) {
      whole = &one;
    } else {
      ChangeRung(one, lab);
    }
  }
  if (whole != nullptr) ChangeLab(*whole, lab);
}

void AddUnfinished(const Attempt& attempt, const config::Course* course, score::SubmissionScore* submission) {
  const std::string reason = fmt::format("attempt {} is not graded yet", attempt.number);
  const config::Lab* const lab = course == nullptr ? nullptr : course->FindLab(attempt.lab);
  if (lab == nullptr || lab->rungs.empty()) {
    submission->unfinished.push_back({attempt.lab, "all rungs", reason});
    return;
  }
  for (const config::Rung& rung : lab->rungs) submission->unfinished.push_back({attempt.lab, rung.name, reason});
}

// The marks of one student. `attempts`: those that count, one for each lab.
score::SubmissionScore MarksOf(const Student& student, const std::vector<const Attempt*>& attempts,
                               const Overrides& overrides, const Results& results, const MarksOptions& options) {
  score::SubmissionScore marks;
  std::map<std::string, score::LabScore> labs;
  for (const Attempt* attempt : attempts) {
    marks.messages.insert(marks.messages.end(), attempt->notes.begin(), attempt->notes.end());
    if (attempt->grading) {
      labs[attempt->lab] = results.Of(*attempt->grading);
    } else if (!overrides.contains({attempt->lab, ""})) {
      AddUnfinished(*attempt, options.course, &marks);
    }
  }
  // Points for a lab that the student did not hand in, such as one that came by e-mail.
  for (const auto& [place, one] : overrides) {
    if (options.lab.empty() || options.lab == place.first) labs[place.first].lab = place.first;
  }
  std::vector<score::LabScore> scored;
  for (auto& [name, lab] : labs) {
    Apply(overrides, &lab);
    const config::Lab* const of_course = options.course == nullptr ? nullptr : options.course->FindLab(name);
    if (of_course != nullptr) lab.title = of_course->title;
    scored.push_back(std::move(lab));
  }
  std::vector<std::string> messages = std::move(marks.messages);
  if (attempts.empty() && scored.empty()) messages.push_back("nothing handed in");
  std::vector<score::UnfinishedRung> unfinished = std::move(marks.unfinished);
  marks = score::ScoreSubmission(student.id, std::move(scored));
  marks.messages = std::move(messages);
  marks.unfinished = std::move(unfinished);
  return marks;
}

}  // namespace

const Attempt& Counting(const std::vector<const Attempt*>& attempts) {
  return **std::max_element(attempts.begin(), attempts.end(), [](const Attempt* a, const Attempt* b) {
    return std::tie(a->handed_in, a->number) < std::tie(b->handed_in, b->number);
  });
}

Result<score::GradingReport> CurrentMarks(Gradebook* book, const MarksOptions& options) {
  const Result<std::vector<Attempt>> attempts = book->Attempts(options.student, options.lab);
  if (!attempts) return attempts.error();
  Result<std::vector<Override>> overrides = book->Overrides(options.student);
  if (!overrides) return overrides.error();
  const Result<std::vector<Student>> students = book->Students();
  if (!students) return students.error();

  std::map<std::string, std::map<std::string, std::vector<const Attempt*>>> by_student;
  for (const Attempt& attempt : *attempts) by_student[attempt.student][attempt.lab].push_back(&attempt);
  std::vector<Attempt> counting;
  for (const auto& [student, labs] : by_student) {
    for (const auto& [lab, of_lab] : labs) counting.push_back(Counting(of_lab));
  }
  Results results(book, options.details);
  if (const Status loaded = results.Load(counting); !loaded.ok()) return loaded.error();

  std::map<std::string, std::vector<const Attempt*>> counting_of;
  for (const Attempt& attempt : counting) counting_of[attempt.student].push_back(&attempt);
  std::map<std::string, Overrides> overrides_of = ByStudent(std::move(*overrides));
  score::GradingReport report;
  for (const Student& student : *students) {
    if (!options.student.empty() && student.id != options.student) continue;
    const auto of_student = counting_of.find(student.id);
    const bool has_marks = of_student != counting_of.end() || overrides_of.contains(student.id);
    if (!has_marks && !student.enrolled) continue;
    report.submissions.push_back(
        MarksOf(student, of_student == counting_of.end() ? std::vector<const Attempt*>() : of_student->second,
                overrides_of[student.id], results, options));
  }
  results.Describe(counting, &report);
  return report;
}

}  // namespace warpgrade::gradebook
