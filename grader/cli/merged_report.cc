// Tests: tests/cli/merged_report_test.cc.
#include "grader/cli/merged_report.h"

#include <filesystem>
#include <map>
#include <utility>

#include "grader/config/course.h"
#include "grader/score/counting.h"
#include "grader/score/score.h"

namespace warpgrade::cli {

std::string RungOfFile(const std::string& name) {
  const std::string file = std::filesystem::path(name).filename().string();
  if (file == "answers.yaml") return config::kQuizName;
  return file.ends_with(".cu") ? file.substr(0, file.size() - 3) : "";
}

score::GradingReport Merged(const score::GradingReport& report, const score::GradingReport& newer,
                            const std::vector<std::string>& rungs) {
  if (report.submissions.empty()) return newer;
  if (newer.submissions.empty()) return report;
  std::map<std::string, score::RungScore> by_name;
  for (const score::GradingReport* one : {&report, &newer}) {
    for (const score::LabScore& lab : one->submissions[0].labs) {
      for (const score::RungScore& rung : lab.rungs) by_name[rung.rung] = rung;
    }
  }
  score::LabScore lab;
  for (const score::GradingReport* one : {&report, &newer}) {
    if (one->submissions[0].labs.empty()) continue;
    lab.lab = one->submissions[0].labs[0].lab;
    lab.title = one->submissions[0].labs[0].title;
    lab.counting = one->submissions[0].labs[0].counting;
  }
  for (const std::string& name : rungs) {
    if (const auto rung = by_name.find(name); rung != by_name.end()) score::AddRung(std::move(rung->second), &lab);
  }
  score::CountPoints(lab.counting, &lab);
  const score::SubmissionScore& of_files = newer.submissions[0];
  score::GradingReport merged = newer;
  std::vector<score::LabScore> labs;
  if (!lab.rungs.empty()) labs.push_back(std::move(lab));
  merged.submissions[0] = score::ScoreSubmission(of_files.id, std::move(labs));
  merged.submissions[0].messages = of_files.messages;
  merged.submissions[0].unfinished = of_files.unfinished;
  merged.submissions[0].sources = of_files.sources;
  return merged;
}

}  // namespace warpgrade::cli
