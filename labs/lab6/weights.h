// The weights of a case, made from one number, so that a number is all that the judge has to send.
#pragma once

#include <cstdint>

#include "labs/lab6/lab6.h"

namespace lab6 {

// Bit 0 of `key` says which kind, the rest which of them.
//
//   0: one or two eighths, of either sign. Whole numbers up to 4 stay exact in float for 5 steps.
//   1: positive sixteenths (5 points: eighths) whose sum is 1: values do not grow, in any number of steps.
//
// All nine (five) places get their own, so that weights which are mixed up do not go unseen.
inline Weights MakeWeights(int points, uint64_t key) {
  constexpr int kOrder[9][2] = {{1, 1}, {0, 1}, {1, 0}, {1, 2}, {2, 1}, {0, 0}, {0, 2}, {2, 0}, {2, 2}};
  Weights weights{};
  uint64_t noise = (key + 1) * 0x9e3779b97f4a7c15;
  noise ^= noise >> 29;
  if ((key & 1) == 0) {
    for (int k = 0; k < points; ++k, noise >>= 2) {
      const float eighths = (noise & 1) != 0 ? 2 : 1;
      weights.at[kOrder[k][0]][kOrder[k][1]] = ((noise & 2) != 0 ? -eighths : eighths) / 8;
    }
    return weights;
  }
  const int parts = points == 9 ? 16 : 8;
  for (int k = 0; k < points; ++k) weights.at[kOrder[k][0]][kOrder[k][1]] = 1.0f / static_cast<float>(parts);
  for (int extra = points; extra < parts; ++extra, noise >>= 4) {
    const auto k = static_cast<int>((noise & 15) % static_cast<uint64_t>(points));
    weights.at[kOrder[k][0]][kOrder[k][1]] += 1.0f / static_cast<float>(parts);
  }
  return weights;
}

}  // namespace lab6
