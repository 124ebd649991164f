// From what each instruction did to the counters of a launch.
#pragma once

#include <vector>

#include "grader/emulator/device.h"
#include "grader/emulator/execution.h"

namespace warpgrade::emulator {

// The counters of a launch, in all and by source line (`line_counters`); `stats` are by Inst::index. What was launched
// and how large is left to the caller.
LaunchRecord CountLaunch(const Program& program, const std::vector<InstStats>& stats, bool line_counters);

}  // namespace warpgrade::emulator
