// The file of --json, and back. Tests: tests/calibrate/measurements_test.cc.
#include "grader/calibrate/measurements.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <fstream>
#include <iterator>
#include <nlohmann/json.hpp>
#include <stdexcept>
#include <utility>

namespace warpgrade::calibrate {
namespace {

using nlohmann::ordered_json;
using Ceiling = score::ThroughputMeasurement::Ceiling;

constexpr const char* kSchema = "warpgrade.calibration/1";
constexpr std::array<const char*, 4> kKinds = {"solution", "earlier", "mutant", "alternative"};
constexpr size_t kMostBytes = 64 << 20;

// Six digits are more than a measurement has.
ordered_json NumberJson(std::optional<double> value) {
  if (!value || !std::isfinite(*value)) return nullptr;
  return std::stod(fmt::format("{:.6g}", *value));
}

ordered_json GradingJson(const Grading& grading) {
  ordered_json json = {{"lab", grading.program.lab},
                       {"rung", grading.program.rung},
                       {"kind", kKinds.at(static_cast<size_t>(grading.program.kind))},
                       {"name", grading.program.name},
                       {"round", grading.round}};
  if (!grading.left_out.empty()) {
    json["left_out"] = grading.left_out;
    return json;
  }
  const score::ThroughputMeasurement& speed = grading.speed;
  json["value"] = NumberJson(speed.value);
  json["unit"] = speed.unit;
  json["spread_percent"] = NumberJson(speed.spread_percent);
  json["samples"] = speed.samples;
  json["seconds"] = NumberJson(speed.seconds);
  json["exclusive_seconds"] = NumberJson(speed.exclusive_seconds);
  json["ceiling"] = NumberJson(speed.ceiling);
  json["ceiling_of"] = speed.ceiling_of == Ceiling::kSolution ? "solution" : "copy";
  return json;
}

std::optional<double> Number(const ordered_json& from, const char* key) {
  const auto found = from.find(key);
  if (found == from.end() || !found->is_number()) return std::nullopt;
  return found->get<double>();
}

std::string TextOr(const ordered_json& from, const char* key, const std::string& otherwise = "") {
  const auto found = from.find(key);
  return found == from.end() || !found->is_string() ? otherwise : found->get<std::string>();
}

// The functions below let the exceptions of the JSON library pass. ParseMeasurements catches them.
Grading GradingFrom(const ordered_json& from) {
  Grading grading;
  grading.program.lab = from.at("lab").get<std::string>();
  grading.program.rung = from.at("rung").get<std::string>();
  const auto kind = std::find(kKinds.begin(), kKinds.end(), from.at("kind").get<std::string>());
  if (kind == kKinds.end()) throw std::invalid_argument("a kind of program that this version does not know");
  grading.program.kind = static_cast<Kind>(kind - kKinds.begin());
  grading.program.name = from.at("name").get<std::string>();
  grading.round = from.at("round").get<int>();
  grading.left_out = TextOr(from, "left_out");
  if (!grading.left_out.empty()) return grading;
  score::ThroughputMeasurement& speed = grading.speed;
  speed.status = score::ThroughputMeasurement::Status::kMeasured;
  speed.value = Number(from, "value").value_or(NAN);
  speed.unit = TextOr(from, "unit");
  speed.spread_percent = Number(from, "spread_percent").value_or(0);
  speed.samples = static_cast<int>(Number(from, "samples").value_or(0));
  speed.seconds = Number(from, "seconds");
  speed.exclusive_seconds = Number(from, "exclusive_seconds");
  speed.ceiling = Number(from, "ceiling");
  speed.ceiling_of = TextOr(from, "ceiling_of") == "solution" ? Ceiling::kSolution : Ceiling::kCopy;
  if (!grading.Value()) grading.left_out = "its speed is not a number above 0";
  return grading;
}

Measurements MeasurementsFrom(const ordered_json& from) {
  Measurements measurements;
  measurements.kit_version = TextOr(from, "kit");
  measurements.began = TextOr(from, "began");
  const ordered_json& device = from.at("device");
  measurements.device.kind = "gpu";
  measurements.device.name = device.at("name").get<std::string>();
  measurements.device.uuid = TextOr(device, "uuid");
  measurements.device.driver = TextOr(device, "driver");
  measurements.device.peaks = {Number(device, "peak_gb_s"), Number(device, "peak_gflop_s"),
                               Number(device, "peak_tensor_gflop_s")};
  for (const ordered_json& grading : from.at("gradings")) measurements.gradings.push_back(GradingFrom(grading));
  return measurements;
}

int LastRound(const Measurements& measurements) {
  int last = 0;
  for (const Grading& grading : measurements.gradings) last = std::max(last, grading.round);
  return last;
}

}  // namespace

std::optional<double> Grading::Value() const {
  if (!left_out.empty() || !std::isfinite(speed.value) || speed.value <= 0) return std::nullopt;
  return speed.value;
}

std::optional<double> Grading::ShareOfCopy() const {
  const std::optional<double> value = Value();
  if (!value || speed.unit != "GB/s" || speed.ceiling_of != Ceiling::kCopy) return std::nullopt;
  if (!speed.ceiling || !std::isfinite(*speed.ceiling) || *speed.ceiling <= 0) return std::nullopt;
  return *value / *speed.ceiling;
}

bool Measurements::Has(const Program& program, int round) const {
  return std::any_of(gradings.begin(), gradings.end(),
                     [&](const Grading& grading) { return grading.round == round && grading.program == program; });
}

std::string JsonText(const Measurements& measurements) {
  const score::DeviceDescription& device = measurements.device;
  const ordered_json head = {{"name", device.name},
                             {"uuid", device.uuid},
                             {"driver", device.driver},
                             {"peak_gb_s", NumberJson(device.peaks.gb_s)},
                             {"peak_gflop_s", NumberJson(device.peaks.gflop_s)},
                             {"peak_tensor_gflop_s", NumberJson(device.peaks.tensor_gflop_s)}};
  const auto dumped = [](const ordered_json& json) {
    return json.dump(-1, ' ', false, ordered_json::error_handler_t::replace);
  };
  std::string text = fmt::format("{{\"schema\": \"{}\",\n \"kit\": {},\n \"began\": {},\n \"device\": {},\n", kSchema,
                                 dumped(measurements.kit_version), dumped(measurements.began), dumped(head));
  text += " \"gradings\": [";
  for (size_t i = 0; i < measurements.gradings.size(); ++i) {
    text += (i == 0 ? "\n  " : ",\n  ") + dumped(GradingJson(measurements.gradings[i]));
  }
  return text + "\n]}\n";
}

Result<Measurements> ParseMeasurements(const std::string& text, const std::string& path) {
  try {
    const ordered_json json = ordered_json::parse(text);
    if (!json.is_object() || TextOr(json, "schema") != kSchema) {
      return Error{ErrorKind::kUsage,
                   fmt::format("{}: it is no {}; name a file that `warpgrade calibrate --json` wrote", path, kSchema)};
    }
    return MeasurementsFrom(json);
  } catch (const std::exception& error) {
    return Error{ErrorKind::kUsage,
                 fmt::format("{}: {}; name a file that `warpgrade calibrate --json` wrote", path, error.what())};
  }
}

Result<Measurements> ReadMeasurements(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  std::string text;
  text.assign(std::istreambuf_iterator<char>(file), {});
  if (!file && text.empty()) return Error{ErrorKind::kUsage, path + ": it cannot be read; does it exist?"};
  if (text.size() > kMostBytes) return Error{ErrorKind::kUsage, path + ": it is too large for measurements"};
  return ParseMeasurements(text, path);
}

std::vector<Measurements> Pooled(std::vector<Measurements> files) {
  std::vector<Measurements> models;
  for (Measurements& file : files) {
    const auto same = std::find_if(models.begin(), models.end(), [&file](const Measurements& model) {
      return model.device.name == file.device.name;
    });
    if (same == models.end()) {
      models.push_back(std::move(file));
      continue;
    }
    const int before = LastRound(*same);
    for (Grading& grading : file.gradings) {
      grading.round += before;
      same->gradings.push_back(std::move(grading));
    }
  }
  return models;
}

std::string Words(const Program& program) {
  switch (program.kind) {
    case Kind::kEarlier:
      return program.name + " handed in";
    case Kind::kMutant:
      return "mutant " + program.name;
    case Kind::kAlternative:
      return "alternative " + program.name;
    case Kind::kSolution:
      break;
  }
  return "solution";
}

}  // namespace warpgrade::calibrate
