// How far an element of the last field may be from the exact one.
#pragma once

#include "labs/lab6/values.h"

namespace lab6 {

inline constexpr double kUnitRoundoff = 0x1p-24;  // of float

// A sum of `points` products goes through at most `points` roundings of at most one unit roundoff u each, in any order,
// so one step errs by at most points * u * (sum of |weight| * |value|), to first order (Higham, Accuracy and Stability,
// section 3.1). Weights of kFractions are positive with sum 1 and values are at most 1, so that is points * u; and what
// earlier steps erred by is averaged, so it does not grow. The errors of the steps add up. 1.01 covers the terms of
// second order, for up to 10,000 steps.
//
// What is exact has to come out exactly. That is what shows a kernel that rounds on the way.
inline double AllowedError(const Problem& p) {
  return p.pattern == kFractions ? 1.01 * p.steps * p.points * kUnitRoundoff : 0;
}

}  // namespace lab6
