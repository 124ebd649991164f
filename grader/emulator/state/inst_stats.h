// What a host thread counts while it runs a launch, for each instruction of the program.
#pragma once

#include <cstdint>

namespace warpgrade::emulator {

// Counted per instruction by each host thread; counters.h is derived from these.
struct InstStats {
  uint64_t executions = 0;
  uint64_t lanes = 0;         // guard applied
  uint64_t active_lanes = 0;  // guard ignored
  // Memory: requests with at least one lane, sectors or wavefronts, bytes or ideal wavefronts. Branches: [0] divergent.
  // Generic accesses use [0..2] for global and [3..5] for shared, [6..7] local requests and bytes.
  uint64_t detail[8] = {};
};

// How often a run of instructions (Inst::run) was entered at one of them.
struct RunStats {
  uint64_t executions = 0, active_lanes = 0;
};

}  // namespace warpgrade::emulator
