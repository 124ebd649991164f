// Elements of an input, from random bits. Includable by nvcc: the judge also draws them on a GPU (gpu.cu).
#pragma once

#include "labs/support/mix.h"

namespace lab4 {

// From 1 to 2, odd multiples of 2^-12.
LAB_BOTH inline float ThirteenBits(uint64_t noise) {
  return lab::Signed(static_cast<float>(4096 + 1 + 2 * lab::Low<11>(noise >> 1)) / 4096, noise);
}

}  // namespace lab4
