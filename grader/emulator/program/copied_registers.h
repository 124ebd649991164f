// Registers that hold a value only on its way from memory to memory. Unoptimised code copies structures member by
// member with their padding and empty bases, so loading such a value from local memory is not yet using it.
#pragma once

#include <vector>

#include "grader/emulator/ptx/module.h"

namespace warpgrade::emulator {

// By register index: true if every use of it stores it (not to global or shared memory), or makes of it, bit by bit,
// the value of such a register.
std::vector<char> CopiedRegisters(const ptx::Function& function);

}  // namespace warpgrade::emulator
