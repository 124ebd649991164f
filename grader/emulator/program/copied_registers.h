// Registers that only carry a value from memory to memory. Unoptimised code copies structures member by member, with
// their padding and empty bases, so loading such a value from local memory does not yet use it.
#pragma once

#include <vector>

#include "grader/emulator/ptx/module.h"

namespace warpgrade::emulator {

// By register index: true if every use either stores the register (not to global or shared memory), or copies its bits
// into another register of this kind.
std::vector<char> CopiedRegisters(const ptx::Function& function);

}  // namespace warpgrade::emulator
