// Makes Gradescope's results.json from one submission: a test for each rung. nlohmann/json escapes the text, and
// Printable has removed what acts on a terminal before. Tests: tests/report/gradescope_test.cc has Gradescope's rules.
#include "grader/report/gradescope.h"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "grader/report/one_submission.h"
#include "grader/report/rung_text.h"
#include "grader/report/text.h"
#include "grader/report/words.h"

namespace warpgrade::report {
namespace {

using Json = nlohmann::ordered_json;

const char* GradescopeVisibility(config::Visibility visibility) {
  switch (visibility) {
    case config::Visibility::kVisible:
      return "visible";
    case config::Visibility::kAfterDue:
      return "after_due_date";
    case config::Visibility::kAfterPublication:
      return "after_published";
    case config::Visibility::kHidden:
      break;
  }
  return "hidden";
}

Json GradescopeTest(const score::RungScore& rung, const score::LabScore& lab, const score::GradingReport& report,
                    bool finished) {
  std::string output = CorrectnessCell(rung.measurement);
  if (const std::string text = RungText(rung, lab, report); !text.empty()) output += "\n" + text;
  Json test = {
      {"name", RungName(lab, rung)}, {"output", output}, {"visibility", GradescopeVisibility(rung.visibility)}};
  if (finished) {
    test["score"] = rung.points.ToDouble();
    test["max_score"] = rung.max_points.ToDouble();
    test["status"] = HasAllMeasurablePoints(rung) ? "passed" : "failed";
  }
  test["extra_data"] = {{"status", score::Name(rung.measurement.status)},
                        {"measurable_points", rung.measurable_points.ToDouble()}};
  return test;
}

// Gradescope ranks by itself, so it gets the figure and not the rank.
Json GradescopeLeaderboard(const score::SubmissionScore& submission, const score::GradingReport& report) {
  Json entries = Json::array();
  for (const score::Leaderboard& leaderboard : report.leaderboards) {
    for (const score::LeaderboardEntry& entry : leaderboard.entries) {
      if (entry.id != submission.id || !entry.rank) continue;
      const std::string lab = PrintableLine(leaderboard.lab);
      if (leaderboard.timed && entry.score_s) {
        entries.push_back({{"name", lab + " seconds"}, {"value", *entry.score_s}, {"order", "asc"}});
      } else if (!leaderboard.timed) {
        entries.push_back({{"name", lab + " wrong answers"}, {"value", entry.wrong_answers}, {"order", "asc"}});
      }
    }
  }
  return entries;
}

}  // namespace

Result<std::string> GradescopeText(const score::GradingReport& report) {
  const Result<const score::SubmissionScore*> only = OnlySubmission(report, kGradescopeFlag);
  if (!only) return only.error();
  const score::SubmissionScore& submission = **only;
  const bool finished = submission.unfinished.empty();
  Json json = Json::object();
  if (finished) json["score"] = submission.points.ToDouble();
  std::string output = fmt::format("{} · {}", PrintableLine(submission.id), DeviceWords(report.device));
  if (submission.measurable_points != submission.max_points) {
    output += fmt::format("\n{} of {} points can be measured here", submission.measurable_points.ToString(),
                          submission.max_points.ToString());
  }
  if (const std::string text = SubmissionText(submission); !text.empty()) output += "\n" + text;
  json["output"] = output;
  for (const char* format : {"output_format", "test_output_format", "test_name_format"}) json[format] = "text";
  json["visibility"] = "visible";
  json["stdout_visibility"] = "hidden";
  json["tests"] = Json::array();
  for (const score::LabScore& lab : submission.labs) {
    for (const score::RungScore& rung : lab.rungs) {
      json["tests"].push_back(GradescopeTest(rung, lab, report, finished));
    }
  }
  json["extra_data"] = {{"submission", PrintableLine(submission.id)},
                        {"kit_version", PrintableLine(report.kit_version)},
                        {"device", DeviceWords(report.device)}};
  json["leaderboard"] = GradescopeLeaderboard(submission, report);
  return json.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

}  // namespace warpgrade::report
