// PTX text -> Module. Accepts what nvcc 13 emits for compute_75..90 plus hand-written PTX in the same subset; never
// crashes or hangs on any bytes; linear in the size of the text. Bounds: 64 MiB of text, half a million instructions, a
// million registers in a function.
#pragma once

#include <string_view>

#include "grader/emulator/ptx/module.h"
#include "grader/result/result.h"

namespace warpgrade::ptx {

// Parses a whole module. Errors are kSubmission with "ptx:LINE:COLUMN: what was found, what was expected".
// Opcodes are not judged here (an unknown opcode parses; decode names it).
Result<Module> Parse(std::string_view text);

}  // namespace warpgrade::ptx
