// Elements of the arrays on the device, from random bits, and the answers, element by element. Includable by nvcc: the
// judge also draws and checks them on a GPU (gpu.cu).
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>

#include "labs/support/mix.h"

namespace lab0 {

// 24 bits, magnitudes from 2^-8 to 2^7: most sums are rounded. Sign, exponent and fraction are put together.
LAB_BOTH inline float OrdinaryFloat(uint64_t noise) {
  const uint32_t bits = static_cast<uint32_t>(noise >> 63) << 31 |
                        static_cast<uint32_t>(127 - 8 + (noise >> 23 & 15)) << 23 |
                        static_cast<uint32_t>(noise & 0x7fffff);
  float value;
  memcpy(&value, &bits, sizeof value);
  return value;
}

LAB_BOTH inline double OrdinaryDouble(uint64_t noise) {
  return static_cast<double>(noise >> 12) * 0x1p-40 + 1;  // never 0: its sign is part of the answer
}

// A quarter of the bytes are at the ends, where sums of channels that are too short overflow.
LAB_BOTH inline uint8_t ColourByte(uint64_t noise) {
  const auto bits = static_cast<uint32_t>(noise);
  const uint32_t at_an_end = (bits & 1) * 255;
  return static_cast<uint8_t>((bits & 0x300) == 0 ? at_an_end : bits);
}

// How many of `elements` elements the segment of element i has, when all but the last one have `segment`.
LAB_BOTH inline size_t SegmentLength(size_t elements, size_t segment, size_t i) {
  const size_t left = elements - i / segment * segment;
  return segment < left ? segment : left;
}

LAB_BOTH inline uint8_t Grey(uint8_t red, uint8_t green, uint8_t blue) {
  return static_cast<uint8_t>((299 * red + 587 * green + 114 * blue + 500) / 1000);
}

// d_out[i] of two_links_on.
LAB_BOTH inline double TwoLinksOn(size_t segment, const uint8_t* flag, const uint16_t* next, const double* value,
                                  size_t i) {
  const size_t start = i / segment * segment;
  const size_t k = start + next[start + next[i]];
  return flag[k] != 0 ? -value[k] : value[k];
}

}  // namespace lab0
