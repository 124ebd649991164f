// The variables of the source in a thread's local memory, where debug data names them and GuardLocals moved them apart
// (program/guarded_locals.h). Addresses are those of the local space: offsets in the thread's local memory.
#pragma once

#include <cstdint>
#include <string>

#include "grader/emulator/state/execution.h"

namespace warpgrade::emulator {

// Whether an access is to bytes between the variables of the source. False where nothing was moved apart.
bool IsBetweenParts(const Warp& w, uint64_t address, int size);

// "4 bytes just past the end of acc (16 bytes)". REQUIRES: IsBetweenParts.
std::string MissedPart(const Warp& w, uint64_t address, int size);

// "element 3 of acc", or "byte 28 of a thread's local arrays" if no name is known. `element`: bytes of the accessed
// value.
std::string LocalPlace(const Warp& w, uint64_t address, int element);

}  // namespace warpgrade::emulator
