// From what each instruction did to the counters of a launch.
#pragma once

#include <cstdint>
#include <vector>

#include "grader/emulator/counters/counters.h"
#include "grader/emulator/program/program.h"
#include "grader/emulator/state/inst_stats.h"

namespace warpgrade::emulator {

// The counters of a launch, in all and by source line (`line_counters`); `stats` are by Inst::index, and so is
// `wave64`, which is empty when it was not asked for. What was launched and how large is left to the caller.
LaunchRecord CountLaunch(const Program& program, const std::vector<InstStats>& stats,
                         const std::vector<uint64_t>& wave64, bool line_counters);

}  // namespace warpgrade::emulator
