// Which array of shared memory an address is computed from. Messages about an address outside of shared memory name it.
#pragma once

#include <cstdint>

#include "grader/emulator/program/program.h"

namespace warpgrade::emulator {

// The only array of shared memory from which the address of an instruction may be computed. `inst` is its Inst::index.
// Null if there are several or none: an address may come from memory or from the function's caller. Also null in a
// function of more than kMostSearchedInstructions.
constexpr size_t kMostSearchedInstructions = 20'000;
const Program::SharedVariable* SharedArrayOf(const Program& program, uint32_t inst);

}  // namespace warpgrade::emulator
