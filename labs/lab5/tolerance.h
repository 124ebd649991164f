// How far a sum of a scan may be from the exact one.
#pragma once

#include <algorithm>
#include <cmath>

#include "labs/lab5/values.h"

namespace lab5 {

// A sum of m floats goes through at most m - 1 additions that round by at most one unit roundoff u each, in any order,
// so it errs by at most
//     m * u * sum of |x|                             (Higham, Accuracy and Stability, section 4.2)
// Roundings have random signs, so that they add up like a random walk: with more than probability 1 - 2 exp(-s^2 / 2)
// the error stays below
//     s * sqrt(m) * u * sum of |x|                   (Higham and Mary 2019, A New Approach to Probabilistic Rounding
//                                                     Error Analysis)
// with s = 8 for the longest chain that there could be, a loop over all elements. Trees have chains of log2(m)
// additions, and look-back one of as many as there are tiles: both stay far below. It is the smaller bound from m = 64
// on.
inline constexpr double kSigmas = 8;
inline constexpr double kUnitRoundoffFloat = 0x1p-24;

// Largest |got - want| that is right for the sum of the first `elements` elements, whose |x| sum up to `magnitude`.
// Only fractions are rounded; everything else must be exact, which is what shows an element that was left out of a long
// sum and a kernel that adds in a shorter type.
inline double AllowedError(const Problem& p, size_t elements, double magnitude) {
  if (p.pattern != kFractions) return 0;
  const auto m = static_cast<double>(elements);
  return std::min(m, kSigmas * std::sqrt(m)) * kUnitRoundoffFloat * magnitude;
}

}  // namespace lab5
