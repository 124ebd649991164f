// The right answer of a reduction, computed on the CPU.
#pragma once

#include <cstdint>
#include <span>

#include "labs/lab1/layout.h"

namespace lab1 {

struct Expected {
  double value = 0;      // the answer; exact for int and for every maximum
  double magnitude = 0;  // sum of |x| for sums, else 0: what rounding errors are measured against
};

// Op over all elements of `input`, in fp64 with compensated additions: its own error is below 2^-52 of the magnitude
// for any length, so it vanishes beside every tolerance of lab1. Uses several threads; the result does not depend on
// them. REQUIRES: T is int32_t, float or double.
template <typename T>
Expected Reduce(Operation operation, std::span<const T> input);

}  // namespace lab1
