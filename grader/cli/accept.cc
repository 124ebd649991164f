// Finds the rung in the report, computes its points by course.yaml, and ranks the leaderboards again.
// Tests: tests/cli/accept_command_test.cc.
#include "grader/cli/accept.h"

#include <fmt/format.h>
#include <pwd.h>
#include <unistd.h>

#include <algorithm>
#include <ctime>
#include <utility>
#include <vector>

#include "grader/cli/selection.h"
#include "grader/report/batch_table.h"
#include "grader/report/text.h"
#include "grader/report/words.h"
#include "grader/score/counting.h"
#include "grader/score/leaderboard.h"
#include "grader/score/score.h"
#include "grader/score/visibility.h"

namespace warpgrade::cli {
namespace {

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
  const Result<LabAndRung> typed = ReadRung(options.rung);
  if (!typed) return typed.error();
  const std::string &lab = typed->lab, &rung = typed->rung;
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

}  // namespace

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

Result<LabAndRung> ReadRung(const std::string& typed) {
  const size_t dot = typed.find('.');
  if (dot == std::string::npos) {
    return Error{ErrorKind::kUsage,
                 fmt::format("--rung {} does not name a lab; write LAB.RUNG, such as lab1.v9", typed)};
  }
  return LabAndRung{typed.substr(0, dot), typed.substr(dot + 1)};
}

Result<std::string> FlaggedRung(const AcceptOptions& options, score::GradingReport* report) {
  const Result<Place> place = FindPlace(options, report);
  if (!place) return place.error();
  const score::RungScore& rung = *place->rung;
  if (rung.measurement.throughput.status == score::ThroughputMeasurement::Status::kFlagged) return rung.rung;
  return Error{ErrorKind::kUsage, fmt::format("{} {}.{} is not flagged ({})", options.student, place->lab->lab,
                                              rung.rung, FlaggedIn(*report))};
}

Result<std::string> Accept(const AcceptOptions& options, const config::Course& course, score::GradingReport* report) {
  const Result<score::Acceptance> acceptance = WhoAndWhy(options);
  if (!acceptance) return acceptance.error();
  const Result<Place> place = FindPlace(options, report);
  if (!place) return place.error();
  const Result<const config::Rung*> rule = RuleOf(course, *place);
  if (!rule) return rule.error();
  const config::Target* const target = course.FindTarget(report->device.name);
  const Result<config::Points> gained =
      score::AcceptFlagged(**rule, target == nullptr ? "" : target->id, *acceptance, place->rung);
  if (!gained) {
    return Error{gained.error().kind, fmt::format("{} {}.{} ({})", options.student, place->lab->lab,
                                                  gained.error().message, FlaggedIn(*report))};
  }
  const score::RungScore rung = *place->rung;
  place->lab->points += *gained;
  score::CountPoints(course.FindLab(place->lab->lab)->counting, place->lab);
  score::SumUpLabs(place->submission);
  if (const Status ranked = RankAnew(course, report); !ranked.ok()) return ranked.error();
  report->visibility = score::VisibilityOf(course);
  const score::ThroughputMeasurement& speed = rung.measurement.throughput;
  return report::PrintableLine(
      fmt::format("{} {}.{}: {} {} accepted by {}; {} points for throughput, {} points in total", options.student,
                  place->lab->lab, rung.rung, report::NumberWords(speed.value), speed.unit, acceptance->by,
                  report::PointsWords(rung.throughput_points, rung.throughput_max),
                  report::PointsWords(place->submission->points, place->submission->max_points)));
}

}  // namespace warpgrade::cli
