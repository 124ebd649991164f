// Checks the options of `warpgrade run` and turns them into the environment variables that the emulated runtime reads.
// Tests: tests/cli/run_options_test.cc.
#include "grader/cli/run_options.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <string_view>

namespace warpgrade::cli {
namespace {

// Checks of bounds, alignment, barriers and member masks are always on, so they are not in this list.
constexpr std::array<std::string_view, 4> kChecks = {"races", "uninitialised", "leaks", "errors"};

std::string Lower(std::string text) {
  for (char& c : text) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  return text;
}

std::vector<std::string> Split(const std::string& text) {
  std::vector<std::string> parts;
  size_t begin = 0;
  while (true) {
    const size_t comma = text.find(',', begin);
    parts.push_back(text.substr(begin, comma - begin));
    if (comma == std::string::npos) return parts;
    begin = comma + 1;
  }
}

bool Contains(const std::vector<std::string>& names, const char* name) {
  return std::find(names.begin(), names.end(), name) != names.end();
}

}  // namespace

bool RunOptions::WantsEmulator() const {
  return !check.empty() || profile || !html_file.empty() || !as.empty() || seed || threads || instructions ||
         !json_file.empty() || error_exit_code;
}

Result<std::string> ParseChecks(const std::string& text) {
  std::vector<std::string> wanted;
  for (std::string name : Split(Lower(text.empty() ? "all" : text))) {
    if (name == "uninitialized") name = "uninitialised";
    if (name == "all" || name == "none") {
      wanted.push_back(name);
      continue;
    }
    if (std::find(kChecks.begin(), kChecks.end(), name) == kChecks.end()) {
      return Error{ErrorKind::kUsage, fmt::format("--check {}: there is no check '{}'; write all, none, or some of {}",
                                                  text, name, fmt::join(kChecks, ","))};
    }
    if (!Contains(wanted, name.c_str())) wanted.push_back(name);
  }
  if (wanted.size() > 1 && (Contains(wanted, "all") || Contains(wanted, "none"))) {
    return Error{
        ErrorKind::kUsage,
        fmt::format("--check {}: 'all' and 'none' cannot be combined with other checks; name only one of them", text)};
  }
  return fmt::format("{}", fmt::join(wanted, ","));
}

Result<std::map<std::string, std::string>> RunEnvironment(const RunOptions& options, const RunFiles& files) {
  const Result<std::string> checks = ParseChecks(options.check);
  if (!checks) return checks.error();
  const std::vector<std::string> names = Split(*checks);
  std::map<std::string, std::string> environment;
  environment["WARPGRADE_CHECK"] = *checks;
  environment["WARPGRADE_CHECK_ERRORS"] = Contains(names, "all") || Contains(names, "errors") ? "1" : "";
  environment["WARPGRADE_SEED"] = options.seed ? std::to_string(*options.seed) : "";
  environment["WARPGRADE_HOST_THREADS"] = options.threads ? std::to_string(*options.threads) : "";
  if (!options.as.empty()) environment["WARPGRADE_DEVICE_AS"] = options.as;  // else as the caller may have set it
  environment["WARPGRADE_INSTRUCTIONS"] = options.instructions ? std::to_string(*options.instructions) : "";
  environment["WARPGRADE_WAVE64"] = options.wave64 ? "1" : "";
  environment["WARPGRADE_FINDINGS_FILE"] = files.findings;
  environment["WARPGRADE_FINDINGS_QUIET"] = "1";  // we show them, with their source lines
  environment["WARPGRADE_COUNTERS_FILE"] = options.profile || !options.html_file.empty() ? files.counters : "";
  environment["WARPGRADE_DEVICE_FD"] = "";  // only for programs that the judge runs
  return environment;
}

}  // namespace warpgrade::cli
