// How far an element of d_out may be from the exact one.
#pragma once

#include <algorithm>
#include <cmath>

#include "labs/lab4/values.h"

namespace lab4 {

// The sum of k products goes through at most k roundings of at most one unit roundoff u each, in any order, so it errs
// by at most
//     k * u * sum of |mask| * |in|                   (Higham, Accuracy and Stability, section 3.1)
// Roundings have random signs, so that they add up like a random walk: with more than probability 1 - 2 exp(-s^2 / 2)
// the error stays below
//     s * sqrt(k) * u * sum of |mask| * |in|         (Higham and Mary 2019, A New Approach to Probabilistic Rounding
//                                                     Error Analysis)
// which for s = 8 no element of any course will see exceeded. It is the smaller one from k = 64 on.
inline constexpr double kSigmas = 8;
inline constexpr double kUnitRoundoff = 0x1p-24;

// Largest |got - want| that is right, for an element whose sum of |mask| * |in| is `magnitude`. Sums of exact values
// must be exact: that is what shows a kernel that rounds its inputs to TF32, bf16 or half (11 bits or fewer; d_in has
// 13). A separable convolution adds mask_columns products, then mask_rows of those sums, which is no more than k.
inline double AllowedError(const Problem& p, double magnitude) {
  if (p.pattern != kFractions) return 0;
  const auto k = static_cast<double>(p.Products()) + (p.variant == kSeparable ? 1 : 0);
  return std::min(k, kSigmas * std::sqrt(k)) * kUnitRoundoff * magnitude;
}

}  // namespace lab4
