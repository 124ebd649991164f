// Says in words how a student's sums differ from the right ones: which row first, what is there, and what that looks
// like.
#pragma once

#include <optional>

#include "labs/lab9/values.h"
#include "labs/support/explanation.h"

namespace lab9 {

using lab::Explanation;
using lab::kPoisonByte;

// Compares and explains; nullopt when all of `y` is right. `inputs` are pristine. A message:
//
//   "333 x 500, 20000 nonzeros: d_y[7] is 3, want -12 (first of 330 wrong rows): as if only the first 32 nonzeros of a
//   row had been added. Row 7 has 61 nonzeros; the wrong rows have 33 to 119."
std::optional<Explanation> Explain(const Problem& p, const Inputs& inputs, const float* y);

}  // namespace lab9
