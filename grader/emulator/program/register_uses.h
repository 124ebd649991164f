// What a function does with the values in its registers. The race check asks it of volatile loads, and the check of
// uninitialised reads of exchanges.
#pragma once

#include <vector>

#include "grader/emulator/ptx/module.h"

namespace warpgrade::emulator {

// By register index: true if the value can decide which way a branch goes, or whether a guarded instruction executes.
std::vector<char> DecidingRegisters(const ptx::Function& function);

// By register index: true if some instruction reads the register.
std::vector<char> ReadRegisters(const ptx::Function& function);

}  // namespace warpgrade::emulator
