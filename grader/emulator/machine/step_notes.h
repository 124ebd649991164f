// Tells the recorder of steps (recorders/step_recorder.h) what a warp reads and writes, with the values. Called before
// the access, and only while steps are recorded.
#pragma once

#include <array>

#include "grader/emulator/checks/access_check.h"
#include "grader/emulator/recorders/block_steps.h"
#include "grader/emulator/recorders/request.h"
#include "grader/emulator/state/execution.h"

namespace warpgrade::emulator {

// An access of these lanes at `a` + `offset`, which are legal. REQUIRES: x.steps.
void NoteStep(Exec& x, const Inst& i, RequestSpace space, const uint64_t* a, uint64_t offset, LaneMask mask, int size,
              AccessKind kind);

// A shuffle of the lanes x.mask: lane L gets the value that lane from[L] offers. REQUIRES: x.steps.
void NoteShuffle(Exec& x, const Inst& i, const uint32_t* offered, const std::array<uint8_t, kLanes>& from);

// Names the places that a launch of this program accesses. `shared_bytes`: of a block. REQUIRES: both outlive the
// result.
NameOfPlace NamesOfPlaces(const Program& program, const GlobalMemory& memory, uint64_t shared_bytes);

}  // namespace warpgrade::emulator
