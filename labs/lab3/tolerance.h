// How far an element of C may be from the exact one.
#pragma once

#include <algorithm>
#include <cmath>
#include <limits>

#include "labs/lab3/values.h"

namespace lab3 {

// The sum of k products goes through at most k roundings of at most one unit roundoff u each, in any order, so it errs
// by at most
//     k * u * sum of |a| * |b|                       (Higham, Accuracy and Stability, section 3.1)
// Roundings have random signs, so that they add up like a random walk: with more than probability 1 - 2 exp(-s^2 / 2)
// the error stays below
//     s * sqrt(k) * u * sum of |a| * |b|             (Higham and Mary 2019, A New Approach to Probabilistic Rounding
//                                                     Error Analysis)
// which for s = 8 no element of any course will see exceeded. It is the smaller one from k = 64 on.
inline constexpr double kSigmas = 8;
inline constexpr double kUnitRoundoffFloat = 0x1p-24;

// Tensor cores cut off what does not fit instead of rounding it, and do so when they bring the products of one
// instruction to the same exponent: up to 4 units for each product, all with one sign, so no random walk.
inline constexpr double kRoundoffTensor = 0x1p-22;

// Largest |got - want| that is right, for an element whose sum of |a| * |b| is `magnitude`. Sums of exact values must
// be exact: that is what shows a kernel that rounds its inputs to TF32, bf16 or half (11 bits or fewer; A has 13), or
// that sums halves in half. No tolerance in units of magnitude can: signs cancel, and that error hides in it.
inline double AllowedError(const Problem& p, double magnitude) {
  if (p.pattern != kFractions) return 0;
  const auto k = static_cast<double>(p.k);
  if (p.variant == kHalf) return k * kRoundoffTensor * magnitude;
  return std::min(k, kSigmas * std::sqrt(k)) * kUnitRoundoffFloat * magnitude;
}

}  // namespace lab3
