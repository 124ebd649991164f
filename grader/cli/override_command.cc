// `warpgrade book override`: adds an override of points to a gradebook, or withdraws the one that counts, and says what
// the student has now. Tests: tests/cli/override_command_test.cc.
#include <fmt/format.h>
#include <pwd.h>
#include <unistd.h>

#include <cstdio>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "grader/cli/book_command.h"
#include "grader/cli/book_marks.h"
#include "grader/cli/commands.h"
#include "grader/cli/exit_code.h"
#include "grader/cli/selection.h"
#include "grader/config/quantity.h"
#include "grader/gradebook/marks.h"
#include "grader/report/text.h"
#include "grader/report/words.h"

namespace warpgrade::cli {
namespace {

using config::Points;
using gradebook::Gradebook;
using gradebook::Override;

struct OverrideOptions {
  std::string gradebook, student, lab, rung, points, reason, author, course_yaml;
  bool withdraw = false;
};

// The whole name of the rung that --rung means; "" for the whole lab.
Result<std::string> RungOf(const config::Lab& lab, const std::string& typed) {
  if (typed.empty() || (typed == config::kQuizName && lab.quiz)) return typed;
  std::vector<std::string> names;
  for (const config::Rung& rung : lab.rungs) {
    if (Means(typed, rung.name)) return rung.name;
    names.push_back(rung.name);
  }
  return Unknown("rung", typed, names, lab.name);
}

// "8", "+2.5", "-3".
Status ReadPoints(const std::string& typed, Override* made) {
  made->is_change = typed.starts_with('+') || typed.starts_with('-');
  const Result<Points> points = config::ParsePoints(std::string_view(typed).substr(made->is_change ? 1 : 0));
  if (!points) return Error{ErrorKind::kUsage, "--points: " + points.error().message};
  made->points = typed.starts_with('-') ? Points() - *points : *points;
  return Status();
}

Result<Override> OverrideOf(const config::Course& course, const OverrideOptions& options) {
  if (const Status known = CheckLab(course, options.lab); !known.ok()) return known.error();
  Override made;
  made.student = options.student;
  made.lab = options.lab;
  made.reason = options.reason;
  made.author = options.author;
  Result<std::string> rung = RungOf(*course.FindLab(options.lab), options.rung);
  if (!rung) return rung.error();
  made.rung = std::move(*rung);
  if (options.withdraw != options.points.empty()) {
    return Error{ErrorKind::kUsage, "give either --points, or --withdraw to take an override back"};
  }
  if (!options.withdraw) {
    if (const Status read = ReadPoints(options.points, &made); !read.ok()) return read.error();
  }
  if (options.reason.find_first_not_of(" \t\r\n") == std::string::npos) {
    return Error{ErrorKind::kUsage, "--reason is empty; write why, because the gradebook keeps it"};
  }
  if (const passwd* user = getpwuid(getuid()); made.author.empty() && user != nullptr) made.author = user->pw_name;
  if (made.author.empty()) {
    return Error{ErrorKind::kUsage, "this account has no name; add --author NAME to say who decides"};
  }
  return made;
}

std::string PlaceWords(const Override& one) { return one.rung.empty() ? one.lab : one.lab + "." + one.rung; }

std::string ValueWords(const Override& one) {
  return (one.is_change ? gradebook::ChangeWords(*one.points) : one.points->ToString()) + " points";
}

Error NothingToWithdraw(const Override& made, const gradebook::OverridesByPlace& earlier) {
  std::vector<std::string> places;
  for (const auto& [place, one] : earlier) places.push_back(PlaceWords(one));
  return {ErrorKind::kUsage, fmt::format("{} has no override of {} that could be withdrawn; {}",
                                         report::PrintableLine(made.student), PlaceWords(made),
                                         places.empty() ? "`warpgrade book history` lists those that there were"
                                                        : fmt::format("there is one of {}", fmt::join(places, ", ")))};
}

// What `made` is about has so many points now, and may have so many.
struct PointsNow {
  Points points, most;
};

PointsNow PointsOf(const config::Lab& rules, const Override& made, const score::SubmissionScore& marks) {
  PointsNow now = {{}, rules.Total()};
  for (const score::LabScore& lab : marks.labs) {
    if (lab.lab != made.lab) continue;
    now.points = lab.points;
    if (made.rung.empty()) return now;
    for (const score::RungScore& rung : lab.rungs) {
      if (rung.rung == made.rung) now.points = rung.points;
    }
  }
  for (const config::Rung& rung : rules.rungs) {
    if (rung.name == made.rung) now.most = rung.Total();
  }
  if (made.rung == config::kQuizName && rules.quiz) now.most = *rules.quiz;
  return now;
}

void PrintRemarks(const config::Lab& rules, const Override& made, const gradebook::OverridesByPlace& earlier,
                  const score::SubmissionScore& marks) {
  const auto same = earlier.find({made.lab, made.rung}), whole = earlier.find({made.lab, ""});
  if (made.points && same != earlier.end()) {
    fmt::print("This replaces the override of {} by {}.\n", ValueWords(same->second),
               report::PrintableLine(same->second.author));
  }
  if (!made.rung.empty() && whole != earlier.end() && !whole->second.is_change) {
    fmt::print("The points of {} do not change: all of {} has an override of {} by {}. Withdraw that one first.\n",
               made.lab, made.lab, ValueWords(whole->second), report::PrintableLine(whole->second.author));
  }
  const PointsNow now = PointsOf(rules, made, marks);
  if (made.points && now.points > now.most) {
    fmt::print(
        "{} points are more than the {} points that {} has. If it was a mistake, take it back with --withdraw.\n",
        now.points.ToString(), now.most.ToString(), made.rung.empty() ? made.lab : made.rung);
  }
}

Status DoOverride(Gradebook* book, const OverrideOptions& options) {
  if (const Status known = CheckStudent(book, options.student); !known.ok()) return known.error();
  const Result<config::Course> course = CourseFor(book, options.course_yaml);
  if (!course) return course.error();
  const Result<Override> made = OverrideOf(*course, options);
  if (!made) return made.error();
  Result<std::vector<Override>> all = book->Overrides(options.student);
  if (!all) return all.error();
  const gradebook::OverridesByPlace earlier = gradebook::CountingOverrides(std::move(*all));
  if (!made->points && !earlier.contains({made->lab, made->rung})) return NothingToWithdraw(*made, earlier);
  if (const Status added = book->AddOverride(*made); !added.ok()) return added.error();
  const Result<score::GradingReport> marks =
      MarksWithLeaderboards(book, *course, {.student = options.student, .lab = options.lab, .details = false});
  if (!marks) return marks.error();
  const score::SubmissionScore& now = marks->submissions.at(0);
  fmt::print("{}: {} points for {}, by {}\n", report::PrintableLine(options.student),
             report::PointsWords(now.points, now.max_points), options.lab, report::PrintableLine(made->author));
  PrintRemarks(*course->FindLab(made->lab), *made, earlier, now);
  return Status();
}

int RunOverride(const OverrideOptions& options) {
  Result<Gradebook> book = Gradebook::Open(options.gradebook, gradebook::Access::kWrite, WARPGRADE_VERSION);
  if (!book) return Fail(book.error());
  const Status done = DoOverride(&*book, options);
  return done.ok() ? kDone : Fail(done.error());
}

}  // namespace

void AddOverrideCommand(CLI::App* book, int* exit_code) {
  CLI::App* command = book->add_subcommand("override", "Give a student other points for a rung or a lab");
  command->footer(
      "Examples:\n"
      "  warpgrade book override marks.db s1042 --lab lab3 --rung v2 --points 8 --reason \"typo in the handout\"\n"
      "  warpgrade book override marks.db s1042 --lab lab3 --points +5 --reason \"explained it well\"\n"
      "  warpgrade book override marks.db s1042 --lab lab3 --points 0 --reason \"copied\" --author \"Prof. Noether\"\n"
      "  warpgrade book override marks.db s1042 --lab lab3 --withdraw --reason \"it was not copied\"\n"
      "\n"
      "A rung and a lab each have one override that counts. A new one replaces it. An override of a rung counts "
      "before\n"
      "points are lost for lateness, and one of a lab after that.\n"
      "\n" +
      std::string(kExitStatusHelp));
  auto options = std::make_shared<OverrideOptions>();
  command->add_option("gradebook", options->gradebook, "The gradebook that `warpgrade batch` wrote")
      ->required()
      ->type_name("FILE");
  command->add_option("student", options->student, "The id of the student")->required()->type_name("ID");
  command->add_option("--lab", options->lab, "The lab")->required()->type_name("LAB");
  command->add_option("--rung", options->rung, "The rung: v3, or v3_sequential (default: the whole lab)")
      ->type_name("RUNG");
  command
      ->add_option("--points", options->points,
                   "The points that count from now on. +5 or -5: so many more or fewer than the graded ones")
      ->type_name("P");
  command->add_flag("--withdraw", options->withdraw,
                    "Withdraw this student's override of the lab, or with --rung of the rung, so that the graded "
                    "points count again");
  command->add_option("--reason", options->reason, "Why; the gradebook keeps it")->required()->type_name("TEXT");
  command->add_option("--author", options->author, "Who decides it (default: the name of your account)")
      ->type_name("NAME");
  AddBookCourseOption(command, &options->course_yaml);
  command->callback([options, exit_code] { *exit_code = RunOverride(*options); });
}

}  // namespace warpgrade::cli
