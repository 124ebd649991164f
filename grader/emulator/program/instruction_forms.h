// Compares instructions with the forms of the opcode table (grader/emulator/ptx/opcodes.def).
#pragma once

#include <string>
#include <vector>

#include "grader/emulator/ptx/module.h"

namespace warpgrade::emulator {

// Returns "" if some form of the opcode allows the instruction: its modifiers, its number of operands, and the kind of
// each operand. Otherwise returns one sentence, without a full stop, that says what is wrong and what is allowed.
// Thread-safe. REQUIRES: i.known has forms; i belongs to `function`.
std::string WhatIsWrong(const ptx::Function& function, const ptx::Instruction& i);

// Everything in opcodes.def that does not follow its own notation, one sentence each, for the test of the table.
std::vector<std::string> MistakesOfTheOpcodeTable();

}  // namespace warpgrade::emulator
