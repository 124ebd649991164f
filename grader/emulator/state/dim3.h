// The shape of a grid or block, and a position in one.
#pragma once

#include <cstdint>

namespace warpgrade::emulator {

struct Dim3 {
  uint32_t x = 1, y = 1, z = 1;
  uint64_t Count() const { return uint64_t{x} * y * z; }
};

}  // namespace warpgrade::emulator
