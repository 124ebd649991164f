#include "grader/report/autolab.h"

#include <algorithm>
#include <nlohmann/json.hpp>

#include "grader/report/batch_table.h"
#include "grader/report/one_submission.h"
#include "grader/report/rung_text.h"
#include "grader/report/table.h"

namespace warpgrade::report {
namespace {

using Json = nlohmann::ordered_json;

// Whole points as integers, so that the line reads as people write it.
Json AutolabScore(config::Points points) {
  return points.hundredths() % 100 == 0 ? Json(points.hundredths() / 100) : Json(points.ToDouble());
}

// `json` with every colon inside a string as an escape. Before Autolab parses the line, it puts quotes around every
// word before a colon, and so would break a text such as "time: 5".
std::string WithoutColonsInStrings(const std::string& json) {
  std::string safe;
  bool in_string = false;
  for (size_t i = 0; i < json.size(); ++i) {
    if (in_string && json[i] == '\\') {
      safe += json[i++];
    } else if (json[i] == '"') {
      in_string = !in_string;
    } else if (in_string && json[i] == ':') {
      safe += "\\u003a";
      continue;
    }
    safe += json[i];
  }
  return safe;
}

}  // namespace

Result<std::string> AutolabText(const score::GradingReport& report) {
  const Result<const score::SubmissionScore*> only = OnlySubmission(report, kAutolabFlag);
  if (!only) return only.error();
  const score::SubmissionScore& submission = **only;
  Json line = {{"scores", Json::object()}};
  for (const score::LabScore& lab : submission.labs) {
    for (const score::RungScore& rung : lab.rungs) line["scores"][RungName(lab, rung)] = AutolabScore(rung.points);
  }
  const bool is_mark = std::all_of(submission.labs.begin(), submission.labs.end(),
                                   [&](const score::LabScore& lab) { return IsMark(submission, lab); });
  if (submission.unfinished.empty() && is_mark) line["scoreboard"] = Json::array({AutolabScore(submission.points)});
  const std::string json = line.dump(-1, ' ', false, Json::error_handler_t::replace);
  return Table(report, {}) + "\n" + WithoutColonsInStrings(json) + "\n";
}

}  // namespace warpgrade::report
