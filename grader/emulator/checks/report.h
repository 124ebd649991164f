// How handlers and checks report a finding, and how the launch continues after it.
#pragma once

#include <cstdint>
#include <string>
#include <tuple>

#include "grader/emulator/checks/finding.h"
#include "grader/emulator/state/execution.h"

namespace warpgrade::emulator {

struct PendingFinding {
  Finding finding;
  uint64_t order = 0;  // block, then thread: the earliest occurrence is kept
  uint32_t inst = 0;
  uint32_t other_inst = 0;       // for a race: the other access, which is earlier in the program
  bool one_instruction = false;  // for a race: two lanes of one store

  // Of two occurrences of one finding, this decides which one to keep: first a race across warps or blocks, because its
  // advice is right for all occurrences; otherwise the earlier one.
  bool Precedes(const PendingFinding& other) const {
    if (finding.reach != other.finding.reach) return finding.reach > other.finding.reach;
    return std::tie(order, finding.address) < std::tie(other.order, other.finding.address);
  }
};

// Records a finding at `inst`, with the thread of `lane`. Kinds that stop at once (StopsAtOnce) end the launch.
void Report(Exec& x, const Inst& inst, FindingKind kind, int lane, uint64_t address, int access_bytes,
            std::string message);

// Counts one more occurrence of a finding that is known, without its words: true if `kind` was reported at `inst` for an
// earlier thread. False: call Report.
bool CountAgain(Exec& x, const Inst& inst, FindingKind kind, int lane);

// The status of a launch that fails with a finding of this kind. kOk for kinds that are not fatal.
LaunchStatus StatusOf(FindingKind kind);

}  // namespace warpgrade::emulator
