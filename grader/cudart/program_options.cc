// Reads each variable and checks its value. If the value is wrong, the error names the variable, the value and the
// allowed values. Tested by tests/cudart/program_options_test.cc.
#include "grader/cudart/program_options.h"

#include <algorithm>
#include <charconv>
#include <cstdint>
#include <cstdlib>
#include <optional>
#include <string>
#include <string_view>

namespace warpgrade::cudart {
namespace {

std::string_view EnvironmentText(const char* name) {
  const char* value = std::getenv(name);
  return value == nullptr ? std::string_view() : value;
}

Error Wrong(const char* name, std::string_view value, const char* allowed) {
  return {ErrorKind::kUsage, std::string(name) + "=" + std::string(value) + " is not understood; it may be " + allowed};
}

// Switches on the check with this name. Returns false if there is no such check.
bool Enable(std::string_view word, ProgramOptions* options) {
  const bool all = word == "all";
  bool known = all || word == "none" || word.empty();
  emulator::Checks& checks = options->device.checks;
  if (all || word == "races") checks.shared_races = checks.global_races = known = true;
  if (all || word == "uninitialised") checks.uninitialised = known = true;
  if (all || word == "leaks") options->leaks = known = true;
  if (all || word == "errors") options->unchecked_errors = known = true;
  return known;
}

Status ReadChecks(ProgramOptions* options) {
  constexpr char kName[] = "WARPGRADE_CHECK";
  if (std::getenv(kName) == nullptr) return {};
  options->device.checks = emulator::Checks(false);
  std::string_view rest = EnvironmentText(kName);
  while (true) {
    const size_t comma = rest.find(',');
    if (!Enable(rest.substr(0, comma), options)) {
      return Wrong(kName, EnvironmentText(kName), "all, none, or a list of races,uninitialised,leaks,errors");
    }
    if (comma == std::string_view::npos) return {};
    rest.remove_prefix(comma + 1);
  }
}

// The variable's number, or `standard` if it is not set; nullopt if it is not such a number.
template <typename Number>
std::optional<Number> ReadNumber(const char* name, Number standard) {
  const std::string_view text = EnvironmentText(name);
  if (text.empty()) return standard;
  Number number{};
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return number;
}

}  // namespace

Result<ProgramOptions> ProgramOptions::FromEnvironment() {
  ProgramOptions options;
  options.device.runs_wave64 = true;  // nobody grades a program that runs on its own
  const Result<const DeviceModel*> model = ChosenDeviceModel();
  if (!model) return Error{ErrorKind::kUsage, "WARPGRADE_DEVICE_AS: " + model.error().message};
  options.model = *model;
  options.device.multiprocessors = options.model->multiprocessors;
  options.device.global_memory_bytes = std::min(options.device.global_memory_bytes, options.model->memory_bytes);

  if (const Status checks = ReadChecks(&options); !checks) return checks.error();
  const std::string_view errors = EnvironmentText("WARPGRADE_CHECK_ERRORS");
  if (!errors.empty() && errors != "0") options.unchecked_errors = true;
  options.device.checks.child_errors = options.unchecked_errors;

  constexpr char kFreshByte[] = "WARPGRADE_FRESH_BYTE";
  const auto fresh_byte = ReadNumber<uint8_t>(kFreshByte, 0);
  if (!fresh_byte) return Wrong(kFreshByte, EnvironmentText(kFreshByte), "0 to 255");
  options.device.fresh_byte = *fresh_byte;

  constexpr char kThreads[] = "WARPGRADE_HOST_THREADS";
  const auto threads = ReadNumber<int>(kThreads, 0);
  if (!threads || *threads < 0 || *threads > 1024) return Wrong(kThreads, EnvironmentText(kThreads), "0 to 1024");
  options.device.host_threads = *threads;

  constexpr char kInstructions[] = "WARPGRADE_INSTRUCTIONS";
  const auto instructions = ReadNumber<uint64_t>(kInstructions, options.device.instruction_budget);
  if (!instructions || *instructions == 0)
    return Wrong(kInstructions, EnvironmentText(kInstructions), "a number above 0");
  options.device.instruction_budget = *instructions;

  constexpr char kSeed[] = "WARPGRADE_SEED";
  const auto seed = ReadNumber<uint64_t>(kSeed, 0);
  if (!seed) return Wrong(kSeed, EnvironmentText(kSeed), "a number, 0 or above");
  options.device.seed = *seed;

  const std::string_view wave64 = EnvironmentText("WARPGRADE_WAVE64");
  options.device.wave64 = !wave64.empty() && wave64 != "0";
  return options;
}

}  // namespace warpgrade::cudart
