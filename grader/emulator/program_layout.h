// What of a module belongs to a kernel's program, and where its shared variables lie.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "grader/emulator/program.h"

namespace warpgrade::emulator {

inline uint32_t RoundUp(uint32_t v, uint32_t to) { return (v + to - 1) / to * to; }

// In bytes: as declared, but at least the natural one of its type.
uint64_t AlignmentOf(const ptx::Variable& v);

// Module functions that the kernel may reach, as indices into Program::functions, the kernel's 0 first: through direct
// calls and, when it calls or takes addresses indirectly, all. REQUIRES: program.function_index is filled.
std::vector<int32_t> Reachable(const Program& program, const ptx::Module& module, const ptx::Function& kernel);

// Fills program.shared_variables, shared_offsets and static_shared_bytes: static shared memory of the kernel and of
// `functions`, then room for the dynamic part.
void LayOutShared(Program& program, const std::vector<int32_t>& functions);

}  // namespace warpgrade::emulator
