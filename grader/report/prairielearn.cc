// Makes PrairieLearn's results.json from one submission. If the file is larger than PrairieLearn reads, it is made
// again with shorter texts. Tests: tests/report/prairielearn_test.cc has PrairieLearn's rules.
#include "grader/report/prairielearn.h"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "grader/report/one_submission.h"
#include "grader/report/rung_text.h"
#include "grader/report/text.h"
#include "grader/report/words.h"

namespace warpgrade::report {
namespace {

using Json = nlohmann::ordered_json;

// `most_text`: bytes of each text.
std::string PrairieLearnJson(const score::SubmissionScore& submission, const score::GradingReport& report,
                             size_t most_text) {
  const bool any_shown = std::any_of(submission.labs.begin(), submission.labs.end(),
                                     [](const score::LabScore& lab) { return !lab.rungs.empty(); });
  const bool gradable = submission.unfinished.empty() && any_shown;
  Json json = {{"gradable", gradable}};
  const double most = submission.max_points.ToDouble();
  if (gradable) json["score"] = most > 0 ? std::clamp(submission.points.ToDouble() / most, 0.0, 1.0) : 0.0;
  const std::string id = CutText(PrintableLine(submission.id), most_text);
  json["message"] = gradable ? fmt::format("{}: {} points", id, PointsWords(submission.points, submission.max_points))
                             : id + ": not graded";
  const std::string output = CutText(SubmissionText(submission), most_text);
  if (!gradable) json["format_errors"] = output.empty() ? "nothing was graded" : output;
  json["output"] = output;
  json["tests"] = Json::array();
  for (const score::LabScore& lab : submission.labs) {
    for (const score::RungScore& rung : lab.rungs) {
      json["tests"].push_back({{"name", RungName(lab, rung)},
                               {"points", rung.points.ToDouble()},
                               {"max_points", rung.max_points.ToDouble()},
                               {"message", CorrectnessCell(rung.measurement)},
                               {"output", CutText(RungText(rung, lab, report), most_text)}});
    }
  }
  if (!submission.unfinished.empty()) json["tests"] = Json::array();  // the points of a part are no mark
  return json.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

}  // namespace

Result<std::string> PrairieLearnText(const score::GradingReport& report) {
  const Result<const score::SubmissionScore*> only = OnlySubmission(report, kPrairieLearnFlag);
  if (!only) return only.error();
  constexpr size_t kMostText = 256 << 10, kLeastText = 64;
  for (size_t most_text = kMostText; most_text >= kLeastText; most_text /= 2) {
    std::string text = PrairieLearnJson(**only, report, most_text);
    if (text.size() <= kPrairieLearnBytes) return text;
  }
  return Error{ErrorKind::kUsage,
               fmt::format("{} holds at most {} bytes, and these results have more; grade one lab: --lab LAB",
                           kPrairieLearnFlag, kPrairieLearnBytes)};
}

}  // namespace warpgrade::report
