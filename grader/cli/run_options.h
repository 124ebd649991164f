// The options of `warpgrade run`, and the environment variables that pass them to the emulated runtime in the program.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "grader/cli/device_choice.h"
#include "grader/result/result.h"

namespace warpgrade::cli {

// The exit status when there are findings: a number that few programs use themselves.
inline constexpr int kFindingsExitCode = 86;

struct RunOptions {
  Device device = Device::kAuto;
  std::vector<std::string> program;

  // For the emulator.
  std::string check;  // as typed; "" stands for "all"
  bool profile = false;
  bool wave64 = false;       // with `profile`: also count for wavefronts of 64 lanes
  std::string profile_file;  // "" with `profile`: a table on standard error
  std::string html_file;     // a page with findings and profile; "": none
  std::string as;            // the GPU to emulate; "": the default of the runtime
  std::optional<uint64_t> seed;
  std::optional<int> threads;
  std::optional<uint64_t> instructions;  // a kernel is stopped after so many warp instructions; nullopt: never
  std::string json_file;
  std::optional<int> error_exit_code;  // nullopt: kFindingsExitCode; 0: the status of the program, even with findings

  // For ctest (internal).
  std::string record_folder, test_name;

  // Whether one of the options needs the emulator.
  bool WantsEmulator() const;
};

// The files of one run to which the runtime writes findings and counters.
struct RunFiles {
  std::string findings, counters;
};

// The checks in `text`, such as "races,leaks", in the form that the runtime reads: in lower case, with "all" or "none"
// alone. The error (kUsage) names the checks that there are.
Result<std::string> ParseChecks(const std::string& text);

// The environment variables to set for the program; one with the value "" must be unset. Errors: those of ParseChecks.
Result<std::map<std::string, std::string>> RunEnvironment(const RunOptions& options, const RunFiles& files);

}  // namespace warpgrade::cli
