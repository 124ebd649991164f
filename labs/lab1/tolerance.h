// How far a sum may be from the exact one. Everything else (int, every maximum, sums of small integers) must be exact.
#pragma once

#include "labs/lab1/layout.h"
#include "labs/lab1/reference.h"
#include "labs/lab1/values.h"

namespace lab1 {

// The longest chain of additions that an element may go through. A tree has log2(n) <= 31 levels, a grid-stride loop
// adds n / threads elements one after another: 512 covers 2^28 elements on 2^20 threads with room to spare. Each
// addition rounds by at most half a unit in the last place, so a chain errs by at most
//     kLongestChain * unit roundoff * sum of |x|          (Higham, Accuracy and Stability, section 4.2)
// For float that is 3e-5 of the sum: real orders stay 50 times below it, as their roundings cancel, while sums kept in
// fp16, bf16 or TF32 (unit roundoff 5e-4 and more) miss it, and miss the exact cases by far.
inline constexpr double kLongestChain = 512;
inline constexpr double kUnitRoundoffFloat = 0x1p-24;
inline constexpr double kUnitRoundoffDouble = 0x1p-53;

// Largest |got - expected.value| that is right.
inline double AllowedError(const Problem& p, const Expected& expected) {
  if (p.variant.operation == Operation::kMax || p.variant.element == Element::kInt) return 0;
  if (p.values != Values::kFractions) return 0;
  const double roundoff = p.variant.element == Element::kFloat ? kUnitRoundoffFloat : kUnitRoundoffDouble;
  return kLongestChain * roundoff * expected.magnitude;
}

}  // namespace lab1
