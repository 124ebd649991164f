// Which parts of a module belong to a kernel's program, where its shared variables lie, and how many lanes its warps
// have.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "grader/emulator/program/program.h"
#include "grader/result/result.h"

namespace warpgrade::emulator {

inline uint32_t RoundUp(uint32_t v, uint32_t to) { return (v + to - 1) / to * to; }

// The alignment in bytes: as declared, but at least the natural alignment of its type.
uint64_t AlignmentOf(const ptx::Variable& v);

// A number of bytes for a 32-bit field. Sizes come from untrusted input. A size that would overflow becomes 2^32 - 1,
// which is above every limit of a device, so that nothing is launched or called with it.
inline uint32_t Saturated(uint64_t bytes) { return static_cast<uint32_t>(std::min<uint64_t>(bytes, UINT32_MAX)); }

// Places `v` after the bytes before `*at`, at its alignment, and moves `*at` past it. Returns its offset.
uint32_t Place(const ptx::Variable& v, uint64_t* at);

// The module functions that the kernel may reach, as indices into Program::functions; the kernel's 0 comes first. It
// follows direct calls. If the kernel calls indirectly or takes addresses of functions, all functions count. REQUIRES:
// program.function_index is filled.
std::vector<int32_t> Reachable(const Program& program, const ptx::Module& module, const ptx::Function& kernel);

// Fills program.shared_variables, shared_offsets and static_shared_bytes: static shared memory of the kernel and of
// `functions`, then room for the dynamic part.
void LayOutShared(Program& program, const std::vector<int32_t>& functions);

// True if some function declares variables in local memory.
bool UsesLocalMemory(const Program& program);

// The lanes of a warp of the module: 32, or 64 if it has the variable that hip/hip_runtime.h defines. Errors:
// kUnsupported if the variable says another number, or 64 without `runs_wave64`.
Result<int> WaveLanesOf(const ptx::Module& module, bool runs_wave64);

}  // namespace warpgrade::emulator
