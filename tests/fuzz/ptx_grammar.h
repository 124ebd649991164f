// Kernels of any instructions that the opcode table knows, in PTX, from a fuzzer's choices. Other than the kernels of
// tests/emulator/oracle, they break every rule: wild addresses, wrong state spaces, labels in loops, operands of a
// wrong type, barriers in branches.
#pragma once

#include <string>

#include "tests/fuzz/choices.h"

namespace warpgrade::fuzz {

// A module with the kernel `k`: .u64 address of some memory, .u32 n.
std::string HostileModule(Choices& choices);

}  // namespace warpgrade::fuzz
