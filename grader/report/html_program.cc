// The data for the page of a program: findings with links to lines, kernels with their counts, the roofline, and the
// sources with their margins. program.js draws it. Tests: tests/report/html_program_test.cc, and tests/report/html/ in
// a browser.
#include "grader/report/html_program.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <nlohmann/json.hpp>
#include <string_view>

#include "grader/report/html.h"
#include "grader/report/html_json.h"
#include "grader/report/html_parts.h"
#include "grader/report/text.h"
#include "grader/result/counted.h"

namespace warpgrade::report {
namespace {

using ProgramJson = nlohmann::ordered_json;

constexpr size_t kMostBytesOfSources = size_t{512} << 10;  // of all sources in a page

ProgramJson OptionalJson(const std::optional<double>& value) {
  return value && std::isfinite(*value) ? ProgramJson(*value) : ProgramJson(nullptr);
}

// "who", "what", "other" and "to do" as on the terminal, one line for each.
std::string FindingLines(const ProgramFinding& finding) {
  std::string text = finding.kernel.empty() ? "" : "kernel " + finding.kernel + "\n";
  if (!finding.who.empty()) text += finding.who + "\n";
  text += finding.message;
  if (!finding.other_file.empty())
    text += fmt::format("\nthe other access: {}:{}", finding.other_file, finding.other_line);
  if (!finding.advice.empty()) text += "\nto do: " + finding.advice;
  return Printable(text);
}

// Of a place that is in the page: [index of the source, line]; else null.
ProgramJson LinkJson(const std::map<std::string, size_t>& sources, const std::string& file, int line) {
  const auto found = sources.find(file);
  return found == sources.end() || line < 1 ? ProgramJson(nullptr) : ProgramJson({found->second, line});
}

ProgramJson FindingsJson(const ProgramPage& page, const std::map<std::string, size_t>& sources) {
  ProgramJson json = ProgramJson::array();
  for (const ProgramFinding& finding : page.findings) {
    if (json.size() == kMostFindings) break;
    const std::string place = finding.file.empty() ? "" : fmt::format("{}:{}", finding.file, finding.line);
    json.push_back({{"title", PrintableLine(finding.title)},
                    {"place", PrintableLine(place)},
                    {"link", LinkJson(sources, finding.file, finding.line)},
                    {"text", FindingLines(finding)}});
  }
  return json;
}

ProgramJson KernelsJson(const ProgramPage& page) {
  ProgramJson json = ProgramJson::array();
  for (const ProgramKernel& kernel : page.kernels) {
    if (json.size() == kMostKernels) break;
    ProgramJson facts = ProgramJson::array();
    for (const auto& [name, words] : kernel.facts) facts.push_back({PrintableLine(name), PrintableLine(words)});
    json.push_back({{"name", PrintableLine(kernel.name)},
                    {"launches", kernel.launches},
                    {"ns", kernel.model_ns},
                    {"instructions", kernel.instructions},
                    {"flop", OptionalJson(kernel.flop)},
                    {"lanes", OptionalJson(kernel.active_lanes)},
                    {"loads", OptionalJson(kernel.load_percent)},
                    {"stores", OptionalJson(kernel.store_percent)},
                    {"conflicts", OptionalJson(kernel.bank_conflicts)},
                    {"facts", std::move(facts)}});
  }
  return json;
}

// What stands below lines of `source`: findings, the other accesses of races, and why a line costs much.
ProgramJson LineMarksJson(const ProgramPage& page, const ProgramSource& source) {
  ProgramJson marks = ProgramJson::array();
  const auto add = [&marks](int line, const char* level, const std::string& text) {
    if (line >= 1) marks.push_back({{"line", line}, {"level", level}, {"text", Printable(text)}});
  };
  for (size_t i = 0; i < std::min(page.findings.size(), kMostFindings); ++i) {
    const ProgramFinding& finding = page.findings[i];
    if (finding.file == source.file) {
      add(finding.line, "error",
          finding.title + ": " + finding.message + (finding.advice.empty() ? "" : "\nto do: " + finding.advice));
    }
    const bool elsewhere = finding.other_file != finding.file || finding.other_line != finding.line;
    if (finding.other_file == source.file && elsewhere) {
      add(finding.other_line, "other",
          fmt::format("the other access of the {} in line {}", finding.title, finding.line));
    }
  }
  for (const auto& [line, why] : source.costly) add(line, "warning", why);
  return marks;
}

// The sources that fit into the page. `left_out`: how many do not.
ProgramJson SourcesJson(const ProgramPage& page, std::map<std::string, size_t>* places, size_t* left_out) {
  ProgramJson json = ProgramJson::array();
  size_t bytes = 0;
  for (const ProgramSource& source : page.sources) {
    const size_t shown = std::min(source.text.size(), kMostSourceBytes);
    if (json.size() == kMostSources || bytes + shown > kMostBytesOfSources) {
      ++*left_out;
      continue;
    }
    bytes += shown;
    ProgramJson one = {{"name", PrintableLine(source.file)},
                       {"file", PrintableLine(source.file)},
                       {"source", SourceJson(source.text)}};
    one["counters"] = CountersJson(source.counts, one["source"].size());
    one["marks"] = LineMarksJson(page, source);
    one["pictures"] = ProgramJson::array();
    places->emplace(source.file, json.size());
    json.push_back(std::move(one));
  }
  return json;
}

void AddLeftOut(size_t there, size_t most, std::string_view more, ProgramJson* notes) {
  if (there > most) notes->push_back(Counted(there - most, more) + " not shown here");
}

}  // namespace

std::string ProgramData(const ProgramPage& page) {
  std::map<std::string, size_t> places;
  size_t sources_left_out = 0;
  ProgramJson sources = SourcesJson(page, &places, &sources_left_out);
  ProgramJson notes = ProgramJson::array();
  for (const std::string& note : page.notes) notes.push_back(Printable(note));
  AddLeftOut(page.findings.size(), kMostFindings, "more finding", &notes);
  AddLeftOut(page.kernels.size(), kMostKernels, "more kernel", &notes);
  AddLeftOut(sources_left_out, 0, "more source file", &notes);
  ProgramJson json = {{"kit", PrintableLine(page.kit_version)},
                      {"course", "warpgrade run"},
                      {"program", PrintableLine(page.program)},
                      {"device", PrintableLine(page.device)},
                      {"notes", std::move(notes)},
                      {"found", page.findings.size()},
                      {"findings", FindingsJson(page, places)},
                      {"kernels", KernelsJson(page)},
                      {"roofline", page.roofline ? ChartJson(*page.roofline) : ProgramJson(nullptr)},
                      {"sources", std::move(sources)}};
  return ScriptSafe(json);
}

std::string ProgramPageText(const ProgramPage& page) {
  return PageOf(std::string(kSourceJs) + std::string(kChartsJs) + std::string(kProgramJs), ProgramData(page));
}

}  // namespace warpgrade::report
