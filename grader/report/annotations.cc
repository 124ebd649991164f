// Finds the line of each fault, missed limit and compiler error. Faults and limits know their lines; a compiler's
// message is split at the places that it names. Tests: tests/report/sarif_test.cc, html_test.cc.
#include "grader/report/annotations.h"

#include <algorithm>
#include <charconv>
#include <optional>
#include <string_view>

#include "grader/report/rung_text.h"
#include "grader/report/text.h"
#include "grader/report/words.h"

namespace warpgrade::report {
namespace {

using score::RungStatus;

// Splits "v5_open.cu(12): error: ..." and "v3_padded.cu:34: ..." at the line number. nullopt if `text` does not begin
// with a place in `file`.
std::optional<int> LineAtBeginning(std::string_view text, std::string_view file) {
  if (!text.starts_with(file)) return std::nullopt;
  text.remove_prefix(file.size());
  if (text.empty() || (text[0] != '(' && text[0] != ':')) return std::nullopt;
  const char end = text[0] == '(' ? ')' : ':';
  int line = 0;
  const auto [rest, error] = std::from_chars(text.data() + 1, text.data() + text.size(), line);
  if (error != std::errc() || rest == text.data() + text.size() || *rest != end || line <= 0) return std::nullopt;
  return line;
}

// One annotation for each place that the lines of `message` name; the lines below a place belong to it.
void AddMessage(const std::string& message, const std::string& file, const std::string& rule,
                std::vector<Annotation>* annotations) {
  const size_t first = annotations->size();
  const std::string printable = Printable(message);
  for (size_t at = 0; at < printable.size();) {
    const size_t end = std::min(printable.find('\n', at), printable.size());
    const std::string line = printable.substr(at, end - at);
    const std::optional<int> number = LineAtBeginning(line, file);
    if (number || annotations->size() == first) {
      annotations->push_back({.rule = rule, .text = line, .line = number.value_or(0)});
    } else {
      annotations->back().text += "\n" + line;
    }
    at = end + 1;
  }
}

Annotation FindingAnnotation(const score::Finding& finding, const score::RungScore& rung, const std::string& check) {
  const std::string file = rung.rung + ".cu";
  Annotation annotation{.rule = PrintableLine(finding.kind),
                        .text = FindingWords(finding, rung.measurement.cases_run, check)};
  annotation.finding = &finding;
  if (finding.file == file) annotation.line = finding.line;
  if (finding.other_file == file) annotation.other_line = finding.other_line;
  return annotation;
}

Annotation LimitAnnotation(const score::TechniqueResult& result, const score::RungScore& rung) {
  Annotation annotation{.rule = "missed-limit", .text = TechniqueWords(result), .level = "warning"};
  const auto where = rung.measurement.metric_lines.find(result.metric);
  if (where == rung.measurement.metric_lines.end()) return annotation;
  annotation.text += "\n" + Printable(where->second);
  annotation.line = LineAtBeginning(where->second, rung.rung + ".cu").value_or(0);
  return annotation;
}

}  // namespace

std::vector<Annotation> AnnotationsOf(const score::RungScore& rung, const score::LabScore& lab,
                                      const score::GradingReport& report) {
  std::vector<Annotation> annotations;
  const score::RungMeasurement& measurement = rung.measurement;
  if (measurement.status == RungStatus::kNotWritten || measurement.status == RungStatus::kMissing) return annotations;
  const std::string check = CheckCommand(report, lab.lab, rung.rung);
  for (const score::Finding& finding : measurement.findings) {
    annotations.push_back(FindingAnnotation(finding, rung, check));
  }
  if (measurement.status == RungStatus::kPassed) {
    for (const score::TechniqueResult& result : rung.technique) {
      if (!result.passed) annotations.push_back(LimitAnnotation(result, rung));
    }
    return annotations;
  }
  std::string rule = score::Name(measurement.status);
  std::replace(rule.begin(), rule.end(), '_', '-');
  for (const std::string& message : measurement.messages) AddMessage(message, rung.rung + ".cu", rule, &annotations);
  if (annotations.empty()) {
    std::string text = CorrectnessCell(measurement);
    if (const std::string notes = RungText(rung, lab, report); !notes.empty()) text += "\n" + notes;
    annotations.push_back({.rule = rule, .text = text});
  }
  return annotations;
}

}  // namespace warpgrade::report
