// Where diverged lanes meet again: the immediate post-dominator of each branch.
#pragma once

#include <cstdint>
#include <vector>

#include "grader/emulator/ptx/module.h"

namespace warpgrade::emulator {

// For each instruction that can diverge (a guarded bra, brx.idx): the index in function.body at which all paths from it
// meet. -1 if they meet only to end the function, and for all other instructions.
std::vector<int32_t> ReconvergencePoints(const ptx::Function& function);

}  // namespace warpgrade::emulator
