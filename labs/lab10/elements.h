// Elements of an input. Includable by nvcc: the judge also draws them on a GPU (gpu.cu).
#pragma once

#include "labs/support/mix.h"

namespace lab10 {

LAB_BOTH inline uint32_t RandomElement(uint64_t noise) { return static_cast<uint32_t>(noise >> 32); }

}  // namespace lab10
