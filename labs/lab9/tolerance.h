// How far an element of d_y may be from the exact one.
#pragma once

#include <algorithm>
#include <cmath>

#include "labs/lab9/values.h"

namespace lab9 {

// The sum of k products goes through at most k roundings of at most one unit roundoff u each, in any order, so it errs
// by at most
//     k * u * sum of |value| * |x|                   (Higham, Accuracy and Stability, section 3.1)
// Roundings have random signs, so that they add up like a random walk: with more than probability 1 - 2 exp(-s^2 / 2)
// the error stays below
//     s * sqrt(k) * u * sum of |value| * |x|         (Higham and Mary 2019, A New Approach to Probabilistic Rounding
//                                                     Error Analysis)
// which for s = 8 no element of any course will see exceeded. It is the smaller one from k = 64 on.
inline constexpr double kSigmas = 8;
inline constexpr double kUnitRoundoff = 0x1p-24;

// Largest |got - want| that is right, for a row of `length` nonzeros whose sum of |value| * |x| is `magnitude`. Sums of
// exact values must be exact.
inline double AllowedError(const Problem& p, size_t length, double magnitude) {
  if (p.values != kFractions) return 0;
  const auto k = static_cast<double>(length);
  return std::min(k, kSigmas * std::sqrt(k)) * kUnitRoundoff * magnitude;
}

}  // namespace lab9
