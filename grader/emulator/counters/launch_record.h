// Turns the counts of each instruction into the counters of a launch.
#pragma once

#include <cstdint>
#include <vector>

#include "grader/emulator/counters/counters.h"
#include "grader/emulator/program/program.h"
#include "grader/emulator/state/inst_stats.h"

namespace warpgrade::emulator {

// The counters of a launch, in total and by source line (`line_counters`). `stats` and `wave64` are by Inst::index;
// `wave64` is empty if it was not requested. The caller fills in what was launched and how large it was.
LaunchRecord CountLaunch(const Program& program, const std::vector<InstStats>& stats,
                         const std::vector<uint64_t>& wave64, bool line_counters);

}  // namespace warpgrade::emulator
