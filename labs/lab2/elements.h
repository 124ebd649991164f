// Elements of a matrix, from their index and a seed. Includable by nvcc: the judge also draws them on a GPU (gpu.cu).
#pragma once

#include "labs/support/mix.h"

namespace lab2 {

// A keyed permutation of the numbers below 2^bits: additions, odd factors and right shifts, each of them invertible.
class Permutation {
 public:
  LAB_BOTH Permutation(uint64_t seed, int bits)
      : mask_((uint64_t{1} << bits) - 1),
        shift_(bits / 2),
        add_{lab::Mix(seed + 1), lab::Mix(seed + 2), lab::Mix(seed + 3)},
        factor_{lab::Mix(seed + 4) | 1, lab::Mix(seed + 5) | 1} {}

  LAB_BOTH uint64_t operator()(uint64_t x) const {
    x = ((x + add_[0]) * factor_[0]) & mask_;
    x ^= x >> shift_;
    x = ((x + add_[1]) * factor_[1]) & mask_;
    x ^= x >> shift_;
    return (x + add_[2]) & mask_;
  }

 private:
  uint64_t mask_;
  int shift_;
  uint64_t add_[3], factor_[2];
};

// Bits for n different values. 24 at least, so that small matrices hold values spread over the whole range; 30 at most,
// so that a float stays finite (beyond 2^30 elements values repeat, far apart).
LAB_BOTH inline int BitsFor(size_t n) {
  int bits = 24;
  while (bits < 30 && n >> bits > 0) ++bits;
  return bits;
}

// The bits of a float: 1.0 and up. 24 bits reach 4, 30 bits reach 2^128.
LAB_BOTH inline uint32_t OrdinaryFloat(uint64_t unique) { return 0x3f800000u + static_cast<uint32_t>(unique); }

}  // namespace lab2
