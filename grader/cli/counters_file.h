// What the emulated runtime wrote to WARPGRADE_COUNTERS_FILE (grader/cudart/observation_report.h has the form).
#pragma once

#include <string>
#include <vector>

#include "grader/emulator/counters/counters.h"
#include "grader/result/result.h"

namespace warpgrade::cli {

// The launches in the text of such a file. Errors (kMachine): it is cut off, or another version's.
Result<std::vector<emulator::LaunchRecord>> ParseCounters(const std::string& text);

// Of the file at `path`. Errors (kMachine): as above; there is no file, because the program never used the runtime or
// was ended by a signal.
Result<std::vector<emulator::LaunchRecord>> ReadCounters(const std::string& path);

}  // namespace warpgrade::cli
