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

  // Decides which of two occurrences of one finding is kept. A race across warps or blocks comes first, because its
  // advice is right for all occurrences. Otherwise the earlier occurrence is kept.
  bool Precedes(const PendingFinding& other) const {
    if (finding.reach != other.finding.reach) return finding.reach > other.finding.reach;
    return std::tie(order, finding.address) < std::tie(other.order, other.finding.address);
  }
};

// Records a finding at `inst`, with the thread of `lane`. A kind that stops at once (StopsAtOnce) ends the launch.
void Report(Exec& x, const Inst& inst, FindingKind kind, int lane, uint64_t address, int access_bytes,
            std::string message);

// If `kind` was already reported at `inst` for an earlier thread, counts one more occurrence and returns true. Then no
// message is needed. If false, call Report.
bool CountAgain(Exec& x, const Inst& inst, FindingKind kind, int lane);

// The status of a launch that fails with a finding of this kind. kOk for kinds that are not fatal.
LaunchStatus StatusOf(FindingKind kind);

}  // namespace warpgrade::emulator
