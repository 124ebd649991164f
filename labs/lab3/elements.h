// Elements of the matrices whose products are exact, from random bits, and halves. Includable by nvcc: the judge also
// draws them on a GPU (gpu.cu).
#pragma once

#include <cstring>

#include "labs/lab3/lab3.h"
#include "labs/support/mix.h"

namespace lab3 {

LAB_BOTH inline float ExactMagnitude(int32_t variant, bool is_a, uint64_t noise) {
  if (variant == kHalf) return static_cast<float>(1 + 2 * (noise % (is_a ? 16 : 8)));
  if (!is_a) return static_cast<float>(1 + noise % 2);
  return static_cast<float>(4096 + 1 + 2 * (noise % 2048)) / 4096;
}

// With its sign.
LAB_BOTH inline float ExactElement(int32_t variant, bool is_a, uint64_t noise) {
  return lab::Signed(ExactMagnitude(variant, is_a, noise >> 1), noise);
}

LAB_BOTH inline uint32_t BitsOf(float value) {
  uint32_t bits;
  memcpy(&bits, &value, sizeof(bits));
  return bits;
}

LAB_BOTH inline float FloatOf(uint32_t bits) {
  float value;
  memcpy(&value, &bits, sizeof(value));
  return value;
}

LAB_BOTH inline float HalfToFloat(uint16_t half) {
  const uint32_t sign = uint32_t{half} >> 15 << 31, exponent = half >> 10 & 31, mantissa = half & 1023;
  if (exponent == 31) return FloatOf(sign | 0x7f800000 | mantissa << 13);  // infinity or NaN
  if (exponent > 0) return FloatOf(sign | (exponent + 127 - 15) << 23 | mantissa << 13);
  const float denormal = static_cast<float>(mantissa) * 0x1p-24f;
  return sign != 0 ? -denormal : denormal;
}

// The half that equals `value`. REQUIRES: there is one, and it is no denormal.
LAB_BOTH inline uint16_t ExactHalf(float value) {
  const uint32_t bits = BitsOf(value);
  const uint32_t sign = bits >> 31 << 15, exponent = bits >> 23 & 255, mantissa = bits >> 13 & 1023;
  if (exponent == 255) return static_cast<uint16_t>(sign | 31 << 10 | mantissa);
  if (exponent == 0) return static_cast<uint16_t>(sign);  // zero
  return static_cast<uint16_t>(sign | (exponent - 127 + 15) << 10 | mantissa);
}

// Of the vector that a product is checked with (reference.cc).
inline constexpr int kMostInVector = 4095;
LAB_BOTH inline double VectorElement(uint64_t noise) {  // never 0: no element goes unseen
  const auto magnitude = static_cast<double>(1 + (noise >> 1) % kMostInVector);
  return (noise & 1) != 0 ? magnitude : -magnitude;
}

}  // namespace lab3
