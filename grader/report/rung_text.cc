#include "grader/report/rung_text.h"

#include <fmt/format.h>

#include <utility>
#include <vector>

#include "grader/report/text.h"
#include "grader/report/words.h"

namespace warpgrade::report {

std::string RungText(const score::RungScore& rung, const score::LabScore& lab, const score::GradingReport& report) {
  std::vector<std::string> lines;
  if (rung.measurement.status == score::RungStatus::kPassed) {
    for (const score::TechniqueResult& result : rung.technique) {
      lines.push_back((result.passed ? "technique ok: " : "technique missed: ") + TechniqueWords(result));
    }
    if (rung.throughput_max > config::Points()) lines.push_back("throughput: " + ThroughputCell(rung));
  }
  const std::string check = CheckCommand(report, lab.lab, rung.rung);
  for (std::string& note : Notes(rung, report.device, check)) lines.push_back(std::move(note));
  return fmt::format("{}", fmt::join(lines, "\n"));
}

std::string RungName(const score::LabScore& lab, const score::RungScore& rung) {
  return PrintableLine(lab.lab + "." + rung.rung);
}

bool HasAllMeasurablePoints(const score::RungScore& rung) {
  return rung.measurement.status == score::RungStatus::kPassed && rung.points >= rung.measurable_points;
}

std::string SubmissionText(const score::SubmissionScore& submission) {
  std::vector<std::string> lines = UnfinishedWords(submission);
  for (const std::string& message : submission.messages) lines.push_back(Printable(message));
  return fmt::format("{}", fmt::join(lines, "\n"));
}

std::string CutText(const std::string& text, size_t bytes) {
  if (text.size() <= bytes) return text;
  size_t end = bytes;
  while (end > 0 && (static_cast<unsigned char>(text[end]) & 0xC0) == 0x80) --end;
  return text.substr(0, end) + "\n... (the rest is left out, because this format has a limit on its size)";
}

}  // namespace warpgrade::report
