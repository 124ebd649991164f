// Fills templates, and edits YAML as text: lines are added, and one number is replaced. A test reads what comes out
// with the readers of the kit. Tests: tests/desk/new_files_test.cc.
#include "grader/desk/new_files.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <optional>
#include <regex>
#include <utility>
#include <vector>

#include "grader/described/texts.h"
#include "grader/desk/templates.h"

namespace warpgrade::desk {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view kTableBegin = "<!-- table: points -->\n", kTableEnd = "<!-- end of table -->";

Error Wrong(std::string what) { return {ErrorKind::kUsage, std::move(what)}; }

std::string Filled(std::string_view text, const std::vector<std::pair<std::string, std::string>>& values) {
  std::string filled(text);
  for (const auto& [name, value] : values) {
    for (size_t at = 0; (at = filled.find(name, at)) != std::string::npos; at += value.size()) {
      filled.replace(at, name.size(), value);
    }
  }
  return filled;
}

// Names become files, functions of C++ and keys of YAML.
Status CheckName(const std::string& name, const char* what) {
  const auto fits = [](char c) {
    return c == '_' || (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
  };
  const bool is_name = !name.empty() && name.size() <= 40 && std::all_of(name.begin(), name.end(), fits) &&
                       !(name[0] >= '0' && name[0] <= '9') && name[0] != '_' && name.find("__") == std::string::npos;
  if (is_name) return Status();
  return Wrong(
      fmt::format("'{}' cannot be the name of a {}; write letters, digits and single _, a letter first, at most 40",
                  config::Shown(name), what));
}

std::string ReadText(const fs::path& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

// Without the comment that opens the file.
std::string WithoutOpening(const std::string& text) {
  size_t at = 0;
  while (text.compare(at, 2, "//") == 0 && text.find('\n', at) != std::string::npos) at = text.find('\n', at) + 1;
  return text.substr(at);
}

// "v2" of "v2_shared".
std::string Short(const std::string& rung) { return rung.substr(0, rung.find('_')); }

// `text` with the number after "points:" at the begin of a line replaced; as it is if there is none.
std::string WithPoints(const std::string& text, const std::string& points) {
  static const std::regex kPoints(R"((?:^|\n)points:[ ]*([0-9]+(?:\.[0-9]+)?))");
  std::smatch match;
  if (!std::regex_search(text, match, kPoints)) return text;
  std::string changed = text;
  return changed.replace(static_cast<size_t>(match.position(1)), static_cast<size_t>(match.length(1)), points);
}

bool IsIndentedOrBlank(std::string_view line) {
  return line.empty() || line[0] == ' ' || line[0] == '\n' || line[0] == '\r';
}

}  // namespace

Result<std::string> WithEntry(const std::string& text, std::string_view key, std::string_view entry,
                              const std::string& file) {
  const std::string head = std::string(key) + ":";
  size_t line = 0, number = 1;
  while (line < text.size() && text.compare(line, head.size(), head) != 0) {
    line = std::min(text.find('\n', line), text.size() - 1) + 1;
    ++number;
  }
  if (line >= text.size())
    return text + (text.empty() || text.ends_with('\n') ? "" : "\n") + "\n" + head + "\n" + std::string(entry);
  const size_t end_of_head = std::min(text.find('\n', line), text.size());
  const std::string rest = text.substr(line + head.size(), end_of_head - line - head.size());
  const size_t value = rest.find_first_not_of(" \t\r");
  if (value != std::string::npos && rest[value] != '#') {
    return Wrong(
        fmt::format("{}:{}:1: '{}' is written in one line, so that nothing can be added; write its entries on lines of "
                    "their own, indented",
                    file, number, key));
  }
  // The block ends behind its last line that is indented and not blank.
  size_t end = std::min(end_of_head + 1, text.size());
  for (size_t at = end; at < text.size();) {
    const size_t next = std::min(text.find('\n', at), text.size() - 1) + 1;
    const std::string_view one = std::string_view(text).substr(at, next - at);
    if (!IsIndentedOrBlank(one) && one[0] != '#') break;
    if (one[0] == ' ' && one.find_first_not_of(" \r\n") != std::string_view::npos) end = next;
    at = next;
  }
  const std::string before = text.substr(0, end);
  return before + (before.ends_with('\n') ? "" : "\n") + std::string(entry) + text.substr(end);
}

std::string PointsTable(const config::Lab& lab) {
  std::string table = "| rung | what it is | correctness | technique | throughput |\n|---|---|---|---|---|\n";
  for (const config::Rung& rung : lab.rungs) {
    table += fmt::format("| `{}` | {} | {} | {} | {} |\n", rung.name, rung.title, rung.correctness.ToString(),
                         rung.technique.ToString(), rung.throughput.ToString());
  }
  if (lab.quiz) table += fmt::format("| quiz | all answers right | {} | | |\n", lab.quiz->ToString());
  return table;
}

std::string WithPointsTable(const std::string& readme, const config::Lab& lab) {
  const size_t begin = readme.find(kTableBegin);
  if (begin == std::string::npos) return readme;
  const size_t first = begin + kTableBegin.size(), end = readme.find(kTableEnd, first);
  if (end == std::string::npos) return readme;
  return readme.substr(0, first) + "\n" + PointsTable(lab) + "\n" + readme.substr(end);
}

Result<Files> NewLab(const std::string& name) {
  if (Status fits = CheckName(name, "lab"); !fits.ok()) return fits.error();
  const std::pair<const char*, std::string_view> rows[] = {
      {"lab.yaml", kLabYaml},
      {"hidden.yaml", kHiddenYaml},
      {"reference.cc", kReference},
      {"solutions/@NAME@/v1_each.cu", kSolution},
      {"mutants/mutants.yaml", kMutantsYaml},
      {"mutants/v1_each__last_block_missing.diff", kMutantTail},
      {"mutants/v1_each__loads_twice.diff", kMutantTwice},
      {"quiz.yaml", kQuizYaml},
      {"README.md", kReadme},
      {"course.yaml", kCourseYaml},
  };
  Files files;
  for (const auto& [path, text] : rows) files[Filled(path, {{"@NAME@", name}})] = Filled(text, {{"@NAME@", name}});
  return files;
}

Result<Files> NewRung(const LabOnDisk& of, const std::string& rung) {
  if (Status fits = CheckName(rung, "rung"); !fits.ok()) return fits.error();
  const fs::path folder = of.description.folder;
  const std::string& lab = of.lab.name;
  const std::string solution = fmt::format("solutions/{}/{}.cu", lab, rung),
                    mutant = fmt::format("mutants/{}__writes_nothing.cu", rung);
  for (const config::Rung& one : of.lab.rungs) {
    if (one.name == rung)
      return Wrong(
          fmt::format("{}: it has a rung '{}' already; choose another name", (folder / "lab.yaml").string(), rung));
  }
  for (const std::string& file : {solution, mutant}) {
    if (fs::exists(folder / file))
      return Wrong(fmt::format("{}: it is there already; choose another name, or remove it", (folder / file).string()));
  }
  const std::string last = of.lab.rungs.back().name;
  const fs::path of_last = folder / "solutions" / lab / (last + ".cu");
  const std::string copied = ReadText(of_last);
  if (copied.empty())
    return Wrong(fmt::format("{}: it cannot be read; the new rung starts as a copy of this solution, so write it first",
                             of_last.string()));
  const std::vector<std::pair<std::string, std::string>> values = {
      {"@NAME@", lab},
      {"@RUNG@", rung},
      {"@FUNCTION@", (of.description.types.empty() ? "" : "template <typename T>\n") +
                         described::FunctionSignature(of.description, "T")},
      {"@LAST@", described::LastLine(of.description)}};
  Files files;
  files[solution] =
      Filled(kRung, values) +
      Filled(WithoutOpening(copied), {{fmt::format("TODO({})", Short(last)), fmt::format("TODO({})", Short(rung))}});
  files[mutant] = Filled(kWritesNothing, values);
  const config::Points points = config::Points::FromHundredths(1000);
  auto lab_yaml = WithEntry(ReadText(folder / "lab.yaml"), "rungs",
                            fmt::format("  {}:\n    title: TODO\n    points: {{correctness: 10}}\n", rung),
                            (folder / "lab.yaml").string());
  if (!lab_yaml) return lab_yaml.error();
  files["lab.yaml"] = WithPoints(*lab_yaml, (of.lab.Total() + points).ToString());
  auto mutants = WithEntry(
      ReadText(folder / "mutants/mutants.yaml"), "mutants",
      fmt::format("  - {{name: {}__writes_nothing, lost: correctness, message: \"never written|want\"}}\n", rung),
      (folder / "mutants/mutants.yaml").string());
  if (!mutants) return mutants.error();
  files["mutants/mutants.yaml"] = *mutants;
  if (const std::string readme = ReadText(folder / "README.md"); !readme.empty()) {
    config::Lab with = of.lab;
    with.rungs.push_back({.name = rung, .title = "TODO", .correctness = points});
    files["README.md"] = WithPointsTable(readme, with) + fmt::format("\n`{}`: TODO.\n", rung);
  }
  return files;
}

Result<Files> NewQuestion(const std::string& folder, const std::string& question) {
  if (Status fits = CheckName(question, "question"); !fits.ok()) return fits.error();
  const std::string path = folder + "/quiz.yaml", before = ReadText(path);
  static const std::string kEntry =
      "    text: >-\n"
      "      TODO: A kernel has one thread for each element, in blocks of {threads} threads. There are {n} elements. "
      "How\n"
      "      many threads of the last block have no element?\n"
      "    let: {n: [1000, 5003, 70001], threads: [64, 128, 256]}\n"
      "    compute: idle_threads  # `warpgrade quiz --functions` lists them\n";
  if (before.find(fmt::format("\n  {}:", question)) != std::string::npos) {
    return Wrong(fmt::format("{}: it has a question '{}' already; choose another name", path, question));
  }
  auto text = WithEntry(before.empty() ? "title: TODO\n" : before, "questions",
                        fmt::format("  {}:\n{}", question, kEntry), path);
  if (!text) return text.error();
  return Files{{"quiz.yaml", *text}};
}

}  // namespace warpgrade::desk
