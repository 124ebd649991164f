// The memory of a block's registers, which a device keeps from one launch to the next. It is several megabytes (4 MB
// for 1024 threads of a kernel with 1000 virtual registers). Giving it back, and having the system clear and map it
// again page by page, would cost a launch of few blocks as much as running them. Only the memory is kept, not its
// values: a launch finds zeros, as in new memory.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "grader/emulator/state/execution.h"

namespace warpgrade::emulator {

// The storage of the kernel's own frame, for each warp. A host thread needs only one, because its later blocks reuse
// the memory of its first.
using KeptRegisters = std::vector<std::vector<uint8_t>>;

// Makes a new block for `launch`, with its registers in `kept` as far as that suffices. StartWarp prepares its warps.
std::unique_ptr<Block> MakeBlock(const LaunchShared& launch, KeptRegisters kept);

// Takes the memory of the registers from a finished block. Memory beyond 16 MB stays with the block, so that a kernel
// that is made to be large does not hold its memory for as long as the device lives.
KeptRegisters KeepRegisters(Block& block);

}  // namespace warpgrade::emulator
