// Elements of an input, from 16 random bits each. Includable by nvcc: the judge also draws them on a GPU (gpu.cu).
#pragma once

#include "labs/lab7/lab7.h"
#include "labs/support/mix.h"

namespace lab7 {

inline constexpr uint64_t kPerNoise = 4;  // elements that are made from one Noise, the first from its lowest bits

LAB_BOTH inline uint32_t BitsOf(uint64_t noise, uint64_t i) {
  return static_cast<uint32_t>(noise >> (16 * (i % kPerNoise)) & 0xffff);
}

// In-range values are 0 .. range - 1.
LAB_BOTH inline int RangeOf(int32_t variant, int bins) { return variant == kInt || bins < 256 ? bins : 256; }

// Each value below `range` about as often as any other.
LAB_BOTH inline int UniformElement(uint32_t bits, int range) {
  return static_cast<int>(bits * static_cast<uint32_t>(range) >> 16);
}

// The one value of kEqual, and the most frequent one of other patterns.
LAB_BOTH inline int FavouriteOf(uint64_t seed, int range) {
  return static_cast<int>(lab::Noise(seed, ~uint64_t{0}) % static_cast<uint64_t>(range));
}

}  // namespace lab7
