// Says in words how a student's field differs from the right one: which element first, what is there, what that looks
// like, and whether the wrong elements have something in common.
#pragma once

#include <cstddef>
#include <optional>
#include <string>

#include "labs/lab6/values.h"
#include "labs/support/explanation.h"

namespace lab6 {

using lab::Explanation;
using lab::kPoisonByte;

// Compares and explains; nullopt when `out` is right. `in` is pristine. A message:
//
//   "40 x 70, 9 points, 3 steps: out[71] (row 1, column 1) is 2, want 0.25 (first of 2584): as if only 2 of 3 steps had
//   been done."
std::optional<Explanation> Explain(const Problem& p, const float* in, const float* out);

}  // namespace lab6
