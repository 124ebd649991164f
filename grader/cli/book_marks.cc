// Tests: tests/cli/book_command_test.cc.
#include "grader/cli/book_marks.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <system_error>

#include "grader/cli/case_choice.h"
#include "grader/cli/executable_path.h"
#include "grader/cli/metric_names.h"
#include "grader/cli/outside_labs.h"
#include "grader/cli/selection.h"
#include "grader/config/kit.h"
#include "grader/gradebook/marks.h"
#include "grader/report/text.h"
#include "grader/score/leaderboard.h"

namespace warpgrade::cli {

Status CheckLab(const config::Course& course, const std::string& lab) {
  if (course.FindLab(lab) != nullptr) return Status();
  std::vector<std::string> labs;
  for (const config::Lab& one : course.labs) labs.push_back(one.name);
  return Unknown("lab", lab, labs, "course.yaml");
}

namespace {

bool HasLab(const score::GradingReport& report, const std::string& name) {
  return std::any_of(report.submissions.begin(), report.submissions.end(), [&name](const auto& submission) {
    return std::any_of(submission.labs.begin(), submission.labs.end(),
                       [&name](const score::LabScore& lab) { return lab.lab == name; });
  });
}

Status CheckNames(gradebook::Gradebook* book, const config::Course& course, const BookMarksOptions& options) {
  if (!options.lab.empty()) {
    if (const Status lab = CheckLab(course, options.lab); !lab.ok()) return lab.error();
  }
  if (options.student.empty()) return Status();
  const Result<std::vector<gradebook::Student>> students = book->Students();
  if (!students) return students.error();
  std::vector<std::string> ids;
  for (const gradebook::Student& student : *students) {
    if (student.id == options.student) return Status();
    ids.push_back(student.id);
  }
  return Unknown("student", options.student, ids, book->path());
}

// The course.yaml that the gradebook remembers; "": none. Says on standard error which it is.
Result<std::string> RememberedCourse(gradebook::Gradebook* book) {
  Result<std::string> remembered = book->CourseYaml();
  if (!remembered || remembered->empty()) return remembered;
  std::error_code ignored;
  if (!std::filesystem::exists(*remembered, ignored)) {
    return Error{ErrorKind::kUsage, fmt::format("{}: its course.yaml was {}, which is no longer there; say where it is "
                                                "now: --course FILE",
                                                book->path(), report::PrintableLine(*remembered))};
  }
  fmt::print(stderr, "warpgrade: {} goes by {}; --course FILE takes other rules\n", book->path(),
             report::PrintableLine(*remembered));
  return remembered;
}

}  // namespace

Result<std::string> CoursePath(const std::string& path) {
  if (!path.empty()) return path;
  const Result<config::Kit> kit = config::FindKit(ExecutablePath());
  if (!kit) return kit.error();
  return kit->course_yaml;
}

Result<config::Course> CourseAt(const std::string& path) {
  const Result<std::string> whole = CoursePath(path);
  if (!whole) return whole.error();
  Result<config::Course> course = config::LoadCourse(*whole, MetricNames());
  if (!course) return course;
  config::Kit none;
  OpenOutsideLabs(*course, &none);
  if (const Status known = CheckNamedCases(*whole, *course); !known.ok()) return known.error();
  return course;
}

void AddBookCourseOption(CLI::App* command, std::string* typed) {
  command
      ->add_option("--course", *typed,
                   "Use this course.yaml (default: the last one that `batch` or `book regrade` was given with this "
                   "option, else the one of the kit)")
      ->type_name("FILE");
}

Result<std::string> CoursePathOf(gradebook::Gradebook* book, const std::string& typed) {
  if (!typed.empty()) return typed;
  Result<std::string> remembered = RememberedCourse(book);
  if (!remembered || !remembered->empty()) return remembered;
  return CoursePath("");
}

Result<config::Course> CourseFor(gradebook::Gradebook* book, const std::string& typed) {
  const Result<std::string> path = CoursePathOf(book, typed);
  return path ? CourseAt(*path) : path.error();
}

Result<std::string> CoursePathToGradeBy(gradebook::Gradebook* book, const std::string& typed) {
  if (typed.empty()) return RememberedCourse(book);
  std::error_code error;
  const std::string whole = std::filesystem::absolute(typed, error).lexically_normal().string();
  if (error) return typed;
  const Result<std::string> before = book->CourseYaml();
  if (!before) return before.error();
  if (*before == whole) return whole;
  const Status put = book->PutCourseYaml(whole);
  return put.ok() ? Result<std::string>(whole) : put.error();
}

Result<score::GradingReport> MarksWithLeaderboards(gradebook::Gradebook* book, const config::Course& course,
                                                   const BookMarksOptions& options) {
  if (const Status known = CheckNames(book, course, options); !known.ok()) return known.error();
  Result<score::GradingReport> report = gradebook::CurrentMarks(book, {.student = options.student,
                                                                       .lab = options.lab,
                                                                       .details = options.details,
                                                                       .course = &course,
                                                                       .attempts = options.attempts});
  if (!report) return report.error();
  if (!options.student.empty()) return report;  // a contest of one
  for (const config::Lab& lab : course.labs) {
    const bool wanted = options.lab.empty() || options.lab == lab.name;
    if (!wanted || !lab.leaderboard || !HasLab(*report, lab.name)) continue;
    report->leaderboards.push_back(score::MakeLeaderboard(lab, report->submissions, report->device.kind == "gpu"));
  }
  if (options.hide_names) {
    const Result<uint64_t> seed = book->Seed();
    if (!seed) return seed.error();
    score::HideNames(*seed, &report->leaderboards);
  }
  return report;
}

}  // namespace warpgrade::cli
