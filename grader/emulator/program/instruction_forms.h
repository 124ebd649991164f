// Compares instructions with the forms of the opcode table (grader/emulator/ptx/opcodes.def).
#pragma once

#include <string>
#include <vector>

#include "grader/emulator/ptx/module.h"

namespace warpgrade::emulator {

// "" when some form of its opcode allows the instruction: its modifiers, how many operands it has, and what each of
// them is. Else one sentence without a full stop: what is wrong, and what is allowed. Thread-safe.
// REQUIRES: i.known has forms; i belongs to `function`.
std::string WhatIsWrong(const ptx::Function& function, const ptx::Instruction& i);

// Whatever in opcodes.def does not follow its own notation, a sentence each: for the test of the table.
std::vector<std::string> MistakesOfTheOpcodeTable();

}  // namespace warpgrade::emulator
