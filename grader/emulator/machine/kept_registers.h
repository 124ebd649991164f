// The memory of a block's registers, kept from one launch of a device to the next. It is some megabytes (4 for 1024
// threads of a kernel with 1000 virtual registers); giving it back, and having the system clear and map it page by page
// again, costs a launch of few blocks as much as running them. Only memory is kept, no value: a launch finds zeros, as
// in new memory.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "grader/emulator/state/execution.h"

namespace warpgrade::emulator {

// The storage of the kernel's own frame, by warp. One host thread needs one: its later blocks reuse the first.
using KeptRegisters = std::vector<std::vector<uint8_t>>;

// A new block for `launch`, with its registers in `kept` as far as that goes. StartWarp prepares its warps.
std::unique_ptr<Block> MakeBlock(const LaunchShared& launch, KeptRegisters kept);

// Takes the registers' memory of a block that is done; what is more than 16 MB stays with the block, so that a kernel
// that is made to be large does not hold its memory for as long as the device lives.
KeptRegisters KeepRegisters(Block& block);

}  // namespace warpgrade::emulator
