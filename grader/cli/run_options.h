// What `warpgrade run` was asked for, and what the emulated runtime in the program is told of it: environment
// variables.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "grader/cli/device_choice.h"
#include "grader/result/result.h"

namespace warpgrade::cli {

// Valgrind's and compute-sanitizer's users choose such a code; ours is one that few programs give.
inline constexpr int kFindingsExitCode = 86;

struct RunOptions {
  Device device = Device::kAuto;
  std::vector<std::string> program;

  // Of the emulator.
  std::string check;  // as typed; "" is "all"
  bool profile = false;
  bool wave64 = false;       // with `profile`: the view of hardware with 64-wide wavefronts, too
  std::string profile_file;  // "" with `profile`: a table on standard error
  std::string as;            // "" is the runtime's default
  std::optional<uint64_t> seed;
  std::optional<int> threads;
  std::optional<uint64_t> instructions;  // of warps, after which a kernel that still runs is stopped
  std::string json_file;
  std::optional<int> error_exit_code;  // kFindingsExitCode when absent; 0: the program's own, whatever was found

  // Of ctest: internal.
  std::string record_folder, test_name;

  // Whether something was asked for that only the emulator has.
  bool WantsEmulator() const;
};

// The files, private to one run, in which the runtime leaves what it saw.
struct RunFiles {
  std::string findings, counters;
};

// "races,leaks" in the form the runtime takes: lower case, "all" or "none" alone. Errors (kUsage) name the checks.
Result<std::string> ParseChecks(const std::string& text);

// The variables that the program is started with; "" is to be unset. Errors (kUsage): the checks.
Result<std::map<std::string, std::string>> RunEnvironment(const RunOptions& options, const RunFiles& files);

}  // namespace warpgrade::cli
