// PTX text -> Module. It accepts what nvcc 13 emits for compute_75..90, and hand-written PTX in the same subset. No
// input makes it crash or hang, and its time is linear in the size of the text. Limits: 64 MiB of text, half a million
// instructions, a million registers in a function.
#pragma once

#include <string_view>

#include "grader/emulator/ptx/module.h"
#include "grader/result/result.h"

namespace warpgrade::ptx {

// Parses a whole module. Errors are kSubmission with "ptx:LINE:COLUMN: what was found, what was expected".
// It does not check opcodes: an unknown opcode parses, and decode reports it.
Result<Module> Parse(std::string_view text);

}  // namespace warpgrade::ptx
