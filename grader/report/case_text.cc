// A heading, the verdict in words, and the notes of the rung. Tests: tests/report/case_text_test.cc.
#include "grader/report/case_text.h"

#include <fmt/format.h>

#include "grader/report/style.h"
#include "grader/report/text.h"
#include "grader/report/words.h"

namespace warpgrade::report {
namespace {

std::string Verdict(const score::RungMeasurement& measurement) {
  switch (measurement.status) {
    case score::RungStatus::kPassed:
      return "right in this case, and the emulator found no fault";
    case score::RungStatus::kFailed:
      return measurement.cases_passed + measurement.cases_faulty == measurement.cases
                 ? "FAULT: the values are right, but the emulator found a fault"
                 : "WRONG";
    default:
      return CorrectnessCell(measurement);
  }
}

}  // namespace

std::string CaseText(const score::GradingReport& report, const std::string& title, const TableOptions& options) {
  const score::SubmissionScore& submission = report.submissions.at(0);
  if (submission.labs.empty()) return fmt::format("{}\n", fmt::join(UnfinishedWords(submission), "\n"));
  const score::LabScore& lab = submission.labs.at(0);
  // The reader may not see the rung.
  if (lab.rungs.empty()) return Printable(fmt::format("{}\n", fmt::join(submission.messages, "\n")));
  score::RungScore rung = lab.rungs.at(0);
  for (score::Finding& finding : rung.measurement.findings) finding.case_name.clear();  // the heading has it
  const std::string heading =
      fmt::format("{} {} · {} · {} · {}", PrintableLine(lab.lab), PrintableLine(rung.rung),
                  PrintableLine(submission.id), DeviceWords(report.device), PrintableLine(title));
  std::string text = Toned(heading, Tone::kTitle, options.colour) + "\n\n";
  text += std::string(kGap, ' ') + Toned(Verdict(rung.measurement), ToneOf(rung.measurement.status), options.colour);
  text += "\n";
  std::vector<std::string> notes = submission.messages;
  // Whoever reads this has just typed the command.
  for (std::string& note : Notes(rung, report.device, "")) notes.push_back(std::move(note));
  for (const std::string& note : notes) {
    for (const std::string& line : Wrap(Printable(note), options.width - kGap)) {
      text += std::string(kGap, ' ') + line + "\n";
    }
  }
  return text;
}

}  // namespace warpgrade::report
