// Reads the findings that the emulated runtime wrote, one JSON object in each line, and writes them as one JSON
// document for --json. Tests: tests/cli/finding_file_test.cc.
#include "grader/cli/finding_file.h"

#include <fmt/format.h>

#include <fstream>
#include <map>
#include <nlohmann/json.hpp>
#include <regex>
#include <set>
#include <tuple>

namespace warpgrade::cli {
namespace {

using Json = nlohmann::ordered_json;

emulator::Dim3 DimOf(const Json& json, const char* name) {
  const Json dim = json.value(name, Json::array({0, 0, 0}));
  return {dim.at(0).get<uint32_t>(), dim.at(1).get<uint32_t>(), dim.at(2).get<uint32_t>()};
}

// The place of a race's other access. Where the object does not name it, the message does ("in line 27"), and the file
// is the same.
std::optional<SourcePlace> OtherPlace(const Json& json, const SeenFinding& finding) {
  if (json.contains("other_line")) {
    const int line = json["other_line"].get<int>();
    if (line > 0) return SourcePlace{json.value("other_file", finding.place.file), line};
    return std::nullopt;
  }
  static const std::regex kInLine("in line ([0-9]{1,8})");
  std::smatch match;
  if (finding.place.line == 0 || !std::regex_search(finding.message, match, kInLine)) return std::nullopt;
  return SourcePlace{finding.place.file, std::stoi(match[1])};
}

Json AsJson(const emulator::Dim3& dim) { return Json::array({dim.x, dim.y, dim.z}); }

}  // namespace

std::optional<SeenFinding> ParseFinding(std::string_view line) {
  // The exceptions of the JSON library stop here, such as that for a field of another type.
  try {
    const Json json = Json::parse(line);
    SeenFinding finding;
    finding.kind = json.at("kind").get<std::string>();
    finding.message = json.at("message").get<std::string>();
    finding.kernel = json.value("kernel", "");
    finding.place = {json.value("file", ""), json.value("line", 0)};
    finding.ptx_line = json.value("ptx_line", 0);
    finding.block = DimOf(json, "block");
    finding.thread = DimOf(json, "thread");
    finding.address = json.value("address", uint64_t{0});
    finding.access_bytes = json.value("access_bytes", 0);
    finding.in_local = json.value("in_local", false);
    finding.count = json.value("count", uint64_t{1});
    finding.fatal = json.value("fatal", false);
    finding.advice = json.value("advice", "");
    finding.other = OtherPlace(json, finding);
    finding.program = json.value("program", "");
    for (const Json& place : json.value("host_places", Json::array())) {
      finding.host_places.push_back({place.at(0).get<uint64_t>(), place.at(1).get<size_t>()});
    }
    return finding;
  } catch (const Json::exception&) {
    return std::nullopt;
  }
}

std::vector<SeenFinding> ReadFindings(const std::string& path) {
  std::vector<SeenFinding> findings;
  std::ifstream file(path);
  for (std::string line; std::getline(file, line);) {
    if (std::optional<SeenFinding> finding = ParseFinding(line)) findings.push_back(std::move(*finding));
  }
  return findings;
}

void DropConsequences(std::vector<SeenFinding>* findings) {
  std::set<std::tuple<std::string, std::string, int>> racing;  // kernel, file, line
  for (const SeenFinding& finding : *findings) {
    if (finding.kind != "shared-race" && finding.kind != "global-race" && finding.kind != "unordered-volatile")
      continue;
    racing.emplace(finding.kernel, finding.place.file, finding.place.line);
    if (finding.other) racing.emplace(finding.kernel, finding.other->file, finding.other->line);
  }
  std::erase_if(*findings, [&racing](const SeenFinding& finding) {
    return finding.kind == "uninitialised-read" && !finding.in_local && finding.place.line > 0 &&
           racing.count({finding.kernel, finding.place.file, finding.place.line}) > 0;
  });
}

void MergeKernels(std::vector<SeenFinding>* findings) {
  struct Merged {
    size_t index = 0;
    std::set<std::string> kernels;
  };
  std::map<std::tuple<std::string, bool, std::string, int>, Merged> merged_at;  // by kind, in_local, file, line
  std::vector<SeenFinding> merged;
  for (SeenFinding& finding : *findings) {
    if (finding.place.line == 0 || finding.kernel.empty()) {
      merged.push_back(std::move(finding));
      continue;
    }
    const auto [at, is_first] = merged_at.try_emplace(
        {finding.kind, finding.in_local, finding.place.file, finding.place.line}, Merged{merged.size(), {}});
    at->second.kernels.insert(finding.kernel);
    if (is_first) {
      merged.push_back(std::move(finding));
    } else {
      merged[at->second.index].count += finding.count;
      merged[at->second.index].fatal |= finding.fatal;
    }
  }
  for (const auto& [place, at] : merged_at) {
    const size_t others = at.kernels.size() - 1;
    if (others == 0) continue;
    merged[at.index].message += fmt::format("; the same in {} other kernel{}", others, others == 1 ? "" : "s");
  }
  *findings = std::move(merged);
}

std::string FindingsAsJson(const std::vector<SeenFinding>& findings, const std::vector<std::string>& program,
                           const ProgramEnd& end) {
  Json list = Json::array();
  for (const SeenFinding& f : findings) {
    Json row{{"kind", f.kind},
             {"kernel", f.kernel},
             {"file", f.place.file},
             {"line", f.place.line},
             {"ptx_line", f.ptx_line},
             {"block", AsJson(f.block)},
             {"thread", AsJson(f.thread)},
             {"address", f.address},
             {"access_bytes", f.access_bytes},
             {"in_local", f.in_local},
             {"count", f.count},
             {"fatal", f.fatal},
             {"message", f.message}};
    if (!f.advice.empty()) row["advice"] = f.advice;
    if (f.other) row["other"] = {{"file", f.other->file}, {"line", f.other->line}};
    list.push_back(std::move(row));
  }
  Json document{{"schema", "warpgrade.findings/1"}, {"program", program}};
  document["exit_code"] = end.signal == 0 ? Json(end.exit_code) : Json(nullptr);
  document["signal"] = end.signal == 0 ? Json(nullptr) : Json(end.signal);
  document["findings"] = std::move(list);
  return document.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

}  // namespace warpgrade::cli
