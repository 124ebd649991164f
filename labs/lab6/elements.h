// Elements of a field, from random bits. Includable by nvcc: the judge also draws them on a GPU (gpu.cu).
#pragma once

#include "labs/support/mix.h"

namespace lab6 {

// Never 0: what is left out is missed.
LAB_BOTH inline float SmallInteger(uint64_t noise) {
  return lab::Signed(static_cast<float>(1 + lab::Low<2>(noise)), noise >> 2);
}

}  // namespace lab6
