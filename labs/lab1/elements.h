// Elements of an input, from random bits. Includable by nvcc: the judge also draws them on a GPU (gpu.cu).
#pragma once

#include "labs/support/mix.h"

namespace lab1 {

// From -64 to 64 without 0: a value that is lost always shows.
LAB_BOTH inline int32_t SmallInteger(uint64_t bits) {
  const int32_t v = static_cast<int32_t>(bits % 128) - 64;
  return v + (v >= 0 ? 1 : 0);
}

}  // namespace lab1
