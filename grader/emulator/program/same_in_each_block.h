// Which instructions at the start of a kernel give a warp the same results in each block: they load parameters, read
// special registers such as %tid, and compute from both. A host thread runs one block after another in the same
// registers, and nothing else writes the results. So it need not execute these instructions again
// (Interpreter::StepStart). What depends on %ctaid.x only must be executed again if the next block has another one.
#pragma once

#include <cstdint>
#include <vector>

#include "grader/emulator/ptx/module.h"

namespace warpgrade::emulator {

// By body index: on what the results of the instruction depend that differs from block to block. Bits 0, 1 and 2:
// %ctaid.x, y and z. kAlways: it must be executed in each block, also because other instructions write its registers.
// REQUIRES: the caller leaves out only instructions that all lanes execute when they start.
inline constexpr uint8_t kAlways = 8;
std::vector<uint8_t> BlockDependences(const ptx::Function& kernel);

}  // namespace warpgrade::emulator
