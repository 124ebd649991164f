// `warpgrade accept`: gives a flagged speed its points, after a person has looked at it. It finds the rung in the
// report, computes its points by course.yaml, ranks the leaderboards again and writes the report.
// Tests: tests/cli/accept_command_test.cc.
#include <fmt/format.h>
#include <pwd.h>
#include <unistd.h>

#include <algorithm>
#include <ctime>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "grader/cli/assignment_option.h"
#include "grader/cli/commands.h"
#include "grader/cli/executable_path.h"
#include "grader/cli/exit_code.h"
#include "grader/cli/folder_lock.h"
#include "grader/cli/metric_names.h"
#include "grader/cli/report_output.h"
#include "grader/cli/selection.h"
#include "grader/config/course.h"
#include "grader/config/kit.h"
#include "grader/report/batch_table.h"
#include "grader/report/json_reader.h"
#include "grader/report/one_submission.h"
#include "grader/report/text.h"
#include "grader/report/words.h"
#include "grader/score/acceptance.h"
#include "grader/score/leaderboard.h"

namespace warpgrade::cli {
namespace {

struct AcceptOptions {
  std::string report, student, rung, because, by, course_yaml;
  std::vector<std::string> canvas_assignments;
  ReportFiles files;
};

// "2026-11-22T10:15:00Z".
std::string Now() {
  const std::time_t now = std::time(nullptr);
  std::tm utc = {};
  gmtime_r(&now, &utc);
  char text[32];
  std::strftime(text, sizeof(text), "%Y-%m-%dT%H:%M:%SZ", &utc);
  return text;
}

bool IsBlank(const std::string& text) { return text.find_first_not_of(" \t\r\n") == std::string::npos; }

Result<score::Acceptance> WhoAndWhy(const AcceptOptions& options) {
  if (IsBlank(options.because)) {
    return Error{ErrorKind::kUsage, "--because is empty; write why the speed is right, because the report keeps it"};
  }
  std::string by = options.by;
  if (const passwd* user = getpwuid(getuid()); IsBlank(by) && user != nullptr) by = user->pw_name;
  if (IsBlank(by))
    return Error{ErrorKind::kUsage, "this account has no name; add --by NAME to say who accepts the speed"};
  return score::Acceptance{std::move(by), Now(), options.because};
}

Result<config::Course> CourseOf(const AcceptOptions& options, const score::GradingReport& report) {
  std::string path = options.course_yaml;
  if (path.empty()) {
    const Result<config::Kit> kit = config::FindKit(ExecutablePath());
    if (!kit) return kit.error();
    path = kit->course_yaml;
  }
  Result<config::Course> course = config::LoadCourse(path, MetricNames());
  if (course && course->name != report.course) {
    return Error{ErrorKind::kUsage, fmt::format("{} is for the course '{}', but the report is for '{}'; name "
                                                "the course.yaml of that course with --course FILE",
                                                path, course->name, report.course)};
  }
  return course;
}

// The first of `all` for which `is` holds, or nullptr.
template <typename Item, typename Is>
Item* Find(std::vector<Item>* all, const Is& is) {
  const auto found = std::find_if(all->begin(), all->end(), is);
  return found == all->end() ? nullptr : &*found;
}

template <typename Item, typename NameOf>
std::vector<std::string> Names(const std::vector<Item>& all, const NameOf& name_of) {
  std::vector<std::string> names;
  names.reserve(all.size());
  for (const Item& item : all) names.push_back(name_of(item));
  return names;
}

// "s1042 lab1.v9_one_pass, s1043 lab2.v5_open".
std::string FlaggedIn(const score::GradingReport& report) {
  std::vector<std::string> flagged;
  for (const score::SubmissionScore& submission : report.submissions) {
    for (const score::LabScore& lab : submission.labs) {
      for (const score::RungScore& rung : lab.rungs) {
        if (rung.measurement.throughput.status != score::ThroughputMeasurement::Status::kFlagged) continue;
        flagged.push_back(report::PrintableLine(fmt::format("{} {}.{}", submission.id, lab.lab, rung.rung)));
      }
    }
  }
  return flagged.empty() ? "no speed in this report is flagged" : fmt::format("flagged: {}", fmt::join(flagged, ", "));
}

// Where the points go.
struct Place {
  score::SubmissionScore* submission = nullptr;
  score::LabScore* lab = nullptr;
  score::RungScore* rung = nullptr;
};

Result<Place> FindPlace(const AcceptOptions& options, score::GradingReport* report) {
  Place place;
  place.submission = Find(&report->submissions, [&](const auto& s) { return s.id == options.student; });
  if (place.submission == nullptr) {
    return Unknown("student", options.student, Names(report->submissions, [](const auto& s) { return s.id; }),
                   options.report);
  }
  const size_t dot = options.rung.find('.');
  if (dot == std::string::npos) {
    return Error{ErrorKind::kUsage,
                 fmt::format("--rung {} does not name a lab; write LAB.RUNG, such as lab1.v9", options.rung)};
  }
  const std::string lab = options.rung.substr(0, dot), rung = options.rung.substr(dot + 1);
  place.lab = Find(&place.submission->labs, [&](const auto& l) { return l.lab == lab; });
  if (place.lab == nullptr) {
    return Unknown("lab", lab, Names(place.submission->labs, [](const auto& l) { return l.lab; }), options.student);
  }
  place.rung = Find(&place.lab->rungs, [&](const auto& r) { return Means(rung, r.rung); });
  if (place.rung != nullptr) return place;
  return Unknown("rung", rung, Names(place.lab->rungs, [](const auto& r) { return r.rung; }),
                 options.student + "'s " + lab);
}

// The rung as course.yaml describes it now.
Result<const config::Rung*> RuleOf(const config::Course& course, const Place& place) {
  const config::Lab* const lab = course.FindLab(place.lab->lab);
  if (lab == nullptr) {
    return Unknown("lab", place.lab->lab, Names(course.labs, [](const auto& l) { return l.name; }), "course.yaml");
  }
  for (const config::Rung& rung : lab->rungs) {
    if (rung.name == place.rung->rung) return &rung;
  }
  return Unknown("rung", place.rung->rung, Names(lab->rungs, [](const auto& r) { return r.name; }), lab->name);
}

// Ranks the leaderboards again, with the accepted time. Submissions keep the names under which they were shown.
Status RankAnew(const config::Course& course, score::GradingReport* report) {
  std::vector<score::Leaderboard> anew;
  for (const score::Leaderboard& before : report->leaderboards) {
    const config::Lab* const lab = course.FindLab(before.lab);
    if (lab == nullptr || !lab->leaderboard) {
      return Error{ErrorKind::kUsage, fmt::format("the report has a leaderboard for {}, but course.yaml has none; name "
                                                  "the course.yaml that it was graded with: --course FILE",
                                                  before.lab)};
    }
    anew.push_back(score::MakeLeaderboard(*lab, report->submissions, before.timed));
  }
  score::KeepNames(report->leaderboards, &anew);
  report->leaderboards = std::move(anew);
  return Status();
}

// Changes the report. Returns the sentence that says what it did.
Result<std::string> Accept(const AcceptOptions& options, score::GradingReport* report) {
  const Result<score::Acceptance> acceptance = WhoAndWhy(options);
  if (!acceptance) return acceptance.error();
  const Result<Place> place = FindPlace(options, report);
  if (!place) return place.error();
  const Result<config::Course> course = CourseOf(options, *report);
  if (!course) return course.error();
  const Result<const config::Rung*> rule = RuleOf(*course, *place);
  if (!rule) return rule.error();
  const config::Target* const target = course->FindTarget(report->device.name);
  const Result<config::Points> gained =
      score::AcceptFlagged(**rule, target == nullptr ? "" : target->id, *acceptance, place->rung);
  if (!gained) {
    return Error{gained.error().kind, fmt::format("{} {}.{} ({})", options.student, place->lab->lab,
                                                  gained.error().message, FlaggedIn(*report))};
  }
  place->lab->points += *gained;
  place->submission->points += *gained;
  if (const Status ranked = RankAnew(*course, report); !ranked.ok()) return ranked.error();
  report->visibility = score::VisibilityOf(*course);
  const score::ThroughputMeasurement& speed = place->rung->measurement.throughput;
  return report::PrintableLine(
      fmt::format("{} {}.{}: {} {} accepted by {}; {} points for throughput, {} points in total", options.student,
                  place->lab->lab, place->rung->rung, report::NumberWords(speed.value), speed.unit, acceptance->by,
                  report::PointsWords(place->rung->throughput_points, place->rung->throughput_max),
                  report::PointsWords(place->submission->points, place->submission->max_points)));
}

int RunAccept(AcceptOptions options) {
  if (const Status can = CheckFiles(options.files); !can.ok()) return Fail(can.error());
  const Result<FolderLock> lock = FolderLock::Of(options.report);
  if (!lock) return Fail(lock.error());
  Result<score::GradingReport> report = report::ReadJson(options.report);
  if (!report) return Fail(report.error());
  auto assignments = AssignmentsOf(options.canvas_assignments, report::LabNames(*report), options.report);
  if (!assignments) return Fail(assignments.error());
  report->assignments = std::move(*assignments);
  const std::string one_submission = OptionForOneSubmission(options.files);
  if (!one_submission.empty() && report->submissions.size() != 1) {
    return Fail(report::NotOneSubmission(one_submission, report->submissions.size()));
  }
  const Result<std::string> done = Accept(options, &*report);
  if (!done) return Fail(done.error());
  options.files[report::kJsonFlag] = options.report;
  if (const Status written = WriteReportFiles(*report, options.files, ViewOf(std::nullopt)); !written.ok())
    return Fail(written.error());
  fmt::print("{}\n", *done);
  return kDone;
}

}  // namespace

void AddAcceptCommand(CLI::App& app, int* exit_code) {
  CLI::App* command = app.add_subcommand("accept", "Accept a flagged speed, so that it gets its points");
  command->footer(
      "Examples:\n"
      "  warpgrade accept results.json --student s1042 --rung lab1.v9 --because \"timed by hand: 0.21 ms\"\n"
      "  warpgrade accept results.json --student s1042 --rung lab1.v9 --because \"...\" --csv marks.csv\n"
      "\n"
      "The grader flags a speed that the GPU should not be able to reach, and gives no points for it. Look at the "
      "kernel.\n"
      "If the speed is right, accept it: the command adds its points to REPORT.json, and writes there who accepted "
      "it,\n"
      "when and why. It writes files in other formats only if you give their options.\n"
      "\n" +
      std::string(kExitStatusHelp));
  auto options = std::make_shared<AcceptOptions>();
  command->add_option("report", options->report, "The file that `warpgrade grade --json` wrote; it is changed")
      ->required()
      ->type_name("REPORT.json");
  command->add_option("--student", options->student, "The submission, by its name in the report")
      ->required()
      ->type_name("NAME");
  command->add_option("--rung", options->rung, "The lab and the rung: lab1.v9, or lab1.v9_one_pass")
      ->required()
      ->type_name("LAB.RUNG");
  command->add_option("--because", options->because, "Why the speed is right; the report keeps it")
      ->required()
      ->type_name("TEXT");
  command->add_option("--by", options->by, "Who accepts it (default: the name of your account)")->type_name("NAME");
  // REPORT.json itself is always written.
  AddFormatOptions(
      *command, [](const report::Format& format) { return format.flag != report::kJsonFlag; }, &options->files);
  AddAssignmentOption(*command, &options->canvas_assignments);
  command->add_option("--course", options->course_yaml, "Use this course.yaml (default: the one of the kit)")
      ->type_name("FILE");
  command->callback([options, exit_code] { *exit_code = RunAccept(*options); });
}

}  // namespace warpgrade::cli
