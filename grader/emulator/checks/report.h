// How handlers and checks report a finding, and what becomes of the launch then.
#pragma once

#include <cstdint>
#include <string>

#include "grader/emulator/checks/finding.h"
#include "grader/emulator/state/execution.h"

namespace warpgrade::emulator {

struct PendingFinding {
  Finding finding;
  uint64_t order = 0;  // block, then thread: the earliest sighting is kept
  uint32_t inst = 0;
  uint32_t other_inst = 0;  // of a race: the other access, which stands earlier in the program
};

// Records a finding at `inst`, with the thread of `lane`. Fatal kinds stop the launch.
void Report(Exec& x, const Inst& inst, FindingKind kind, int lane, uint64_t address, int access_bytes,
            std::string message);

// How a launch ends with a finding of this kind, if the finding is fatal.
LaunchStatus StatusOf(FindingKind kind);

}  // namespace warpgrade::emulator
