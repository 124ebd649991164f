// Tested by tests/cli/profile_test.cc.
#include "grader/cli/counters_file.h"

#include <fmt/format.h>

#include <fstream>
#include <nlohmann/json.hpp>
#include <sstream>

namespace warpgrade::cli {
namespace {

using SortedJson = nlohmann::json;

emulator::Dim3 DimOf(const SortedJson& json) {
  return {json.at(0).get<uint32_t>(), json.at(1).get<uint32_t>(), json.at(2).get<uint32_t>()};
}

emulator::Counters CountersOf(const SortedJson& json) {
  emulator::Counters counters;
  for (const emulator::CounterInfo& row : emulator::AllCounters()) {
    counters.*row.field = json.at(row.name).get<uint64_t>();
  }
  return counters;
}

emulator::LaunchRecord LaunchOf(const SortedJson& json) {
  emulator::LaunchRecord launch;
  launch.kernel = json.at("kernel").get<std::string>();
  launch.grid = DimOf(json.at("grid"));
  launch.block = DimOf(json.at("block"));
  launch.shared_bytes = json.at("shared_bytes").get<uint64_t>();
  launch.cooperative = json.at("cooperative").get<bool>();
  launch.wave_lanes = json.at("wave_lanes").get<int>();
  launch.counters = CountersOf(json.at("counters"));
  for (const SortedJson& line : json.at("lines")) {
    launch.lines.push_back(
        {line.at("file").get<std::string>(), line.at("line").get<int>(), CountersOf(line.at("counters"))});
  }
  return launch;
}

}  // namespace

Result<std::vector<emulator::LaunchRecord>> ParseCounters(const std::string& text) {
  // The exceptions of the JSON library stop here.
  try {
    std::vector<emulator::LaunchRecord> launches;
    for (const SortedJson document = SortedJson::parse(text); const SortedJson& launch : document.at("launches")) {
      launches.push_back(LaunchOf(launch));
    }
    return launches;
  } catch (const SortedJson::exception& error) {
    return Error{ErrorKind::kMachine,
                 fmt::format("--profile: the counters of the run cannot be read: {}; run it again", error.what())};
  }
}

Result<std::vector<emulator::LaunchRecord>> ReadCounters(const std::string& path) {
  std::ifstream file(path);
  if (!file) {
    return Error{
        ErrorKind::kMachine,
        "--profile: there are no counters, because the program did not use the CUDA runtime or a signal ended it"};
  }
  std::ostringstream text;
  text << file.rdbuf();
  return ParseCounters(text.str());
}

}  // namespace warpgrade::cli
