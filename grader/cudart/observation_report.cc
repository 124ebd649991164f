// Formats findings as text and as JSON, keeps the launches for the counters file, and writes that file when the process
// exits. Tested by tests/cudart/observation_report_test.cc.
#include "grader/cudart/observation_report.h"

#include <fmt/format.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <nlohmann/json.hpp>

#include "grader/cudart/fork.h"

namespace warpgrade::cudart {
namespace {

using emulator::Counters;
using emulator::Dim3;
using emulator::Finding;
using emulator::LaunchRecord;
using Json = nlohmann::ordered_json;

Json AsJson(const Dim3& dim) { return Json::array({dim.x, dim.y, dim.z}); }

Json AsJson(const Counters& counters) {
  Json json = Json::object();
  for (const emulator::CounterInfo& row : emulator::AllCounters()) json[row.name] = counters.*row.field;
  return json;
}

Json AsJson(const LaunchRecord& launch) {
  Json lines = Json::array();
  for (const emulator::LineCounters& line : launch.lines) {
    lines.push_back({{"file", line.file}, {"line", line.line}, {"counters", AsJson(line.counters)}});
  }
  return {{"kernel", launch.kernel},
          {"grid", AsJson(launch.grid)},
          {"block", AsJson(launch.block)},
          {"shared_bytes", launch.shared_bytes},
          {"cooperative", launch.cooperative},
          {"wave_lanes", launch.wave_lanes},
          {"counters", AsJson(launch.counters)},
          {"lines", std::move(lines)}};
}

// A program's names may contain bytes that JSON does not allow.
std::string Dump(const Json& json) { return json.dump(-1, ' ', false, Json::error_handler_t::replace); }

std::string Text(const Dim3& dim) { return fmt::format("({},{},{})", dim.x, dim.y, dim.z); }

const char* Environment(const char* name) {
  const char* value = std::getenv(name);
  return value == nullptr ? "" : value;
}

void WriteFile(const std::string& path, const char* mode, const std::string& text) {
  std::FILE* file = std::fopen(path.c_str(), mode);
  const bool written = file != nullptr && std::fwrite(text.data(), 1, text.size(), file) == text.size();
  const bool closed = file != nullptr && std::fclose(file) == 0;
  if (!written || !closed) {
    std::fprintf(stderr, "warpgrade: cannot write %s: %s; what the emulator saw is lost\n", path.c_str(),
                 std::strerror(errno));
  }
}

// The file of this process's program; "": not known.
std::string OwnProgram() {
  char path[4096];
  const ssize_t length = readlink("/proc/self/exe", path, sizeof path);
  return length <= 0 || length == sizeof path ? "" : std::string(path, static_cast<size_t>(length));
}

// True if the finding is a fault of the host's side. No kernel ran then, so there is no line, block or thread.
bool IsOfHost(const Finding& finding) {
  using emulator::FindingKind;
  const FindingKind kind = finding.kind;
  if (kind == FindingKind::kUninitialisedRead) return finding.kernel.empty();  // by a copy to the host
  return kind == FindingKind::kDoubleFree || kind == FindingKind::kInvalidFree || kind == FindingKind::kInvalidCopy ||
         kind == FindingKind::kStreamRace || kind == FindingKind::kHostRace || kind == FindingKind::kLeak ||
         (kind == FindingKind::kUncheckedError && finding.ptx_line == 0);  // else of a launch by a kernel
}

// Runs after the program's own exit handlers, when all its launches are over.
__attribute__((destructor)) void WriteCountersAtExit() {
  if (*Environment("WARPGRADE_COUNTERS_FILE") != '\0' && !IsForkedChild()) ObservationReport::Get().WriteCounters();
}

}  // namespace

std::string FormatFinding(const Finding& finding) {
  if (IsOfHost(finding)) {
    std::string text = fmt::format("warpgrade: {}: {}", emulator::Name(finding.kind), finding.message);
    if (!finding.kernel.empty()) text += fmt::format("\n    of {}", finding.kernel);
    if (finding.count > 1) text += fmt::format("; seen {} times", finding.count);
    return text + "\n";
  }
  std::string where = finding.file.empty()
                          ? fmt::format("line {} of the PTX (compile with -lineinfo)", finding.ptx_line)
                          : fmt::format("{}:{}", finding.file, finding.line);
  std::string text = fmt::format("{}: {}: {}\n    in {}, block {}, thread {}", where, emulator::Name(finding.kind),
                                 finding.message, finding.kernel, Text(finding.block), Text(finding.thread));
  if (finding.count > 1) text += fmt::format("; seen {} times", finding.count);
  return text + "\n";
}

std::string FindingAsJson(const Finding& finding) {
  Json json{{"kind", emulator::Name(finding.kind)},
            {"kernel", finding.kernel},
            {"file", finding.file},
            {"line", finding.line},
            {"ptx_line", finding.ptx_line},
            {"block", AsJson(finding.block)},
            {"thread", AsJson(finding.thread)},
            {"address", finding.address},
            {"access_bytes", finding.access_bytes},
            {"in_local", emulator::IsInLocalMemory(finding)},
            {"count", finding.count},
            {"fatal", emulator::IsFatal(finding.kind)},
            {"message", finding.message},
            {"advice", finding.advice}};
  if (!finding.host_places.empty()) {
    json["program"] = OwnProgram();
    json["host_places"] = Json::array();
    for (const emulator::HostPlace& place : finding.host_places) {
      json["host_places"].push_back(Json::array({place.address, place.in_message}));
    }
  }
  return Dump(json);
}

std::string CountersAsJson(const std::vector<LaunchRecord>& launches, const Counters& copies) {
  Json list = Json::array();
  for (const LaunchRecord& launch : launches) list.push_back(AsJson(launch));
  Json metrics = Json::object();
  for (const auto& [name, value] : emulator::ComputeMetrics(launches, 0, copies)) metrics[name] = value;
  return Dump(Json{{"schema", "warpgrade.counters/1"},
                   {"launches", std::move(list)},
                   {"copies", AsJson(copies)},
                   {"metrics", std::move(metrics)}});
}

ObservationReport& ObservationReport::Get() {
  static ObservationReport* report =
      new ObservationReport(Environment("WARPGRADE_FINDINGS_FILE"), Environment("WARPGRADE_COUNTERS_FILE"));
  return *report;
}

ObservationReport::ObservationReport(std::string findings_path, std::string counters_path)
    : findings_path_(std::move(findings_path)), counters_path_(std::move(counters_path)) {}

void ObservationReport::Take(emulator::Device& device) {
  std::fflush(stdout);  // the kernel's own output comes first
  for (const Finding& finding : device.Findings()) {
    if (reported_
            .emplace(finding.kind, finding.kernel, finding.file, finding.file.empty() ? finding.ptx_line : finding.line)
            .second) {
      Report(finding);
    }
  }
  if (!counters_path_.empty()) {
    launches_.insert(launches_.end(), device.Launches().begin(), device.Launches().end());
    copies_.Add(device.Copies());
  }
  device.ResetObservations();
}

void ObservationReport::Add(const Finding& finding) {
  std::fflush(stdout);
  Report(finding);
}

void ObservationReport::Report(const Finding& finding) {
  if (*Environment("WARPGRADE_FINDINGS_QUIET") == '\0') {
    const std::string text = FormatFinding(finding);
    std::fwrite(text.data(), 1, text.size(), stderr);
  }
  if (!findings_path_.empty()) WriteFile(findings_path_, "a", FindingAsJson(finding) + "\n");
}

void ObservationReport::WriteCounters() const {
  WriteFile(counters_path_, "w", CountersAsJson(launches_, copies_.AsCounters()) + "\n");
}

}  // namespace warpgrade::cudart
