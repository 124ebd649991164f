// Elements of an input, from random bits. Includable by nvcc: the judge also draws them on a GPU (gpu.cu).
#pragma once

#include "labs/support/mix.h"

namespace lab5 {

// From -64 to 64 without 0.
LAB_BOTH inline float SmallInteger(uint64_t noise) {
  return lab::Signed(static_cast<float>(1 + lab::Low<6>(noise >> 1)), noise);
}

}  // namespace lab5
