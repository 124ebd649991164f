// Reads the file that the emulated runtime wrote to WARPGRADE_COUNTERS_FILE (format:
// grader/cudart/observation_report.h).
#pragma once

#include <string>
#include <vector>

#include "grader/emulator/counters/counters.h"
#include "grader/result/result.h"

namespace warpgrade::cli {

// The launches in the text of such a file. Errors (kMachine): the text is cut off or of another version.
Result<std::vector<emulator::LaunchRecord>> ParseCounters(const std::string& text);

// The launches in the file at `path`. Errors (kMachine): as above; or there is no file, because the program did not use
// the runtime or a signal ended it.
Result<std::vector<emulator::LaunchRecord>> ReadCounters(const std::string& path);

}  // namespace warpgrade::cli
