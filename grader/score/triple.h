// Three numbers, as CUDA's dim3.
#pragma once

#include <cstdint>

namespace warpgrade::score {

// The shape of a block, or a position in one.
struct Triple {
  uint32_t x = 0, y = 0, z = 0;
};

}  // namespace warpgrade::score
