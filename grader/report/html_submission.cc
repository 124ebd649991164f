// The data for the page of one submission: each rung with its points, notes and source, and what is to say at lines of
// the source. submission.js draws it. Tests: tests/report/html_test.cc.
#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>
#include <vector>

#include "grader/report/annotations.h"
#include "grader/report/html.h"
#include "grader/report/html_json.h"
#include "grader/report/text.h"
#include "grader/report/words.h"
#include "grader/result/counted.h"

namespace warpgrade::report {
namespace {

using HtmlJson = nlohmann::ordered_json;

// Steps of blocks on one page. Chosen, so that a page with these, Chart.js and sources is smaller than 1 MB.
constexpr size_t kMostStepBytes = size_t{320} << 10;

HtmlJson TextsJson(const std::vector<std::string>& texts) {
  HtmlJson json = HtmlJson::array();
  for (const std::string& text : texts) json.push_back(Printable(text));
  return json;
}

// "good", "bad" or "quiet": the page colours by it.
const char* StateName(score::RungStatus status) {
  switch (ToneOf(status)) {
    case Tone::kGood:
      return "good";
    case Tone::kQuiet:
      return "quiet";
    default:
      return "bad";
  }
}

HtmlJson LimitJson(const score::TechniqueResult& limit) {
  return {{"text", TechniqueWords(limit)},
          {"passed", limit.passed},
          {"points", {limit.points.ToDouble(), limit.max_points.ToDouble()}}};
}

// `text` without "v3_padded.cu:34: " at the beginning of a line, because it stands at that line.
std::string WithoutPlace(const std::string& text, const std::string& file) {
  std::string shorter;
  for (size_t at = 0; at < text.size();) {
    const size_t end = std::min(text.find('\n', at), text.size());
    std::string line = text.substr(at, end - at);
    if (const size_t place_end = line.find(' '); line.starts_with(file) && place_end != std::string::npos) {
      line.erase(0, line.find_first_not_of(' ', place_end));
    }
    shorter += (at == 0 ? "" : "\n") + line;
    at = end + 1;
  }
  return shorter;
}

// What stands below lines of the source.
HtmlJson MarksJson(const score::RungScore& rung, const std::vector<Annotation>& annotations) {
  HtmlJson marks = HtmlJson::array();
  for (const Annotation& annotation : annotations) {
    if (annotation.line <= 0) continue;
    std::string text = WithoutPlace(annotation.text, PrintableLine(rung.rung + ".cu"));
    if (const score::Finding* finding = annotation.finding) {
      text = PrintableLine(finding->kind) + ": " + Printable(finding->message);
      if (!finding->advice.empty()) text += "\nto do: " + Printable(finding->advice);
    }
    marks.push_back({{"line", annotation.line}, {"level", annotation.level}, {"text", text}});
    if (annotation.other_line > 0 && annotation.other_line != annotation.line) {
      marks.push_back({{"line", annotation.other_line},
                       {"level", "other"},
                       {"text", "the other access of the fault in line " + std::to_string(annotation.line)}});
    }
  }
  return marks;
}

// The command that writes a page with the steps of a block of this rung.
std::string StepsCommand(const score::GradingReport& report, const score::RungScore& rung, const score::LabScore& lab) {
  const std::string name = rung.rung.substr(0, rung.rung.find('_'));
  return PrintableLine(fmt::format("{} explain {} {}{} --steps --html {}.html", report.check_program, lab.lab, name,
                                   report.check_options, name));
}

// `step_bytes`: how much of the page is left for steps of blocks.
HtmlJson PageRungJson(const score::RungScore& rung, const score::LabScore& lab, const score::GradingReport& report,
                      size_t* step_bytes) {
  const score::RungMeasurement& measurement = rung.measurement;
  const std::string check = CheckCommand(report, lab.lab, rung.rung);
  HtmlJson json = {{"name", PrintableLine(rung.rung)},
                   {"state", StateName(measurement.status)},
                   {"correct", CorrectnessCell(measurement)},
                   {"speed", ThroughputCell(rung)},
                   {"points", PointsJson(rung)}};
  json["limits"] = HtmlJson::array();
  if (measurement.status == score::RungStatus::kPassed) {
    for (const score::TechniqueResult& limit : rung.technique) json["limits"].push_back(LimitJson(limit));
  }
  json["notes"] = TextsJson(Notes(rung, report.device, check));
  const auto& sources = report.submissions[0].sources;
  const auto source = sources.find(lab.lab + "/" + rung.rung + ".cu");
  if (source == sources.end()) return json;
  json["file"] = PrintableLine(rung.rung + ".cu");
  json["source"] = SourceJson(source->second);
  json["counters"] = CountersJson(measurement.line_counts, json["source"].size());
  json["pictures"] = PicturesJson(measurement.pictures, source->second);
  json["blockSteps"] =
      BlockStepsJson(measurement.pictures, source->second, StepsCommand(report, rung, lab), step_bytes);
  json["marks"] = MarksJson(rung, AnnotationsOf(rung, lab, report));
  return json;
}

// False for a chart that shows a rung which is not in the lab (any more), such as one that students must not see.
bool HasRungsOnly(const plot::Chart& chart, const score::LabScore& lab) {
  return std::all_of(chart.series.begin(), chart.series.end(), [&lab](const plot::Series& series) {
    return series.is_bound || std::any_of(lab.rungs.begin(), lab.rungs.end(),
                                          [&](const score::RungScore& rung) { return rung.rung == series.name; });
  });
}

// What heads the page. The name of a folder says nothing to the student whose files are in it.
std::string PageTitle(const score::GradingReport& report, const score::SubmissionScore& submission) {
  if (!report.own_files || submission.labs.size() != 1) return PrintableLine(submission.id);
  const score::LabScore& lab = submission.labs[0];
  return PrintableLine(lab.title.empty() ? lab.lab : lab.lab + " " + lab.title);
}

}  // namespace

std::string SubmissionData(const score::GradingReport& report) {
  const score::SubmissionScore& submission = report.submissions.at(0);
  HtmlJson json = {{"id", PageTitle(report, submission)},  {"course", PrintableLine(report.course)},
                   {"device", DeviceWords(report.device)}, {"kit", PrintableLine(report.kit_version)},
                   {"points", PointsJson(submission)},     {"finished", submission.unfinished.empty()}};
  json["notes"] = TextsJson(UnfinishedWords(submission));
  for (const std::string& message : submission.messages) json["notes"].push_back(Printable(message));
  json["labs"] = HtmlJson::array();
  size_t step_bytes = kMostStepBytes;
  for (const score::LabScore& lab : submission.labs) {
    HtmlJson rungs = HtmlJson::array();
    for (const score::RungScore& rung : lab.rungs) rungs.push_back(PageRungJson(rung, lab, report, &step_bytes));
    json["labs"].push_back({{"name", PrintableLine(lab.lab)},
                            {"title", PrintableLine(lab.title)},
                            {"points", PointsJson(lab)},
                            {"rungs", std::move(rungs)}});
    const auto roofline = submission.rooflines.find(lab.lab);
    if (roofline != submission.rooflines.end() && HasRungsOnly(roofline->second, lab)) {
      json["labs"].back()["roofline"] = ChartJson(roofline->second);
    }
  }
  return ScriptSafe(json);
}

}  // namespace warpgrade::report
