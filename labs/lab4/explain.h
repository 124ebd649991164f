// Says in words how a student's d_out differs from the convolution: which element first, what is there, what that looks
// like, and whether the wrong elements have something in common.
#pragma once

#include <cstddef>
#include <optional>
#include <string>

#include "labs/lab4/reference.h"
#include "labs/lab4/values.h"
#include "labs/support/explanation.h"

namespace lab4 {

using lab::Explanation;
using lab::kPoisonByte;

// Compares and explains; nullopt when `out` is right. A message:
//
//   "1000, mask 5: d_out[254] is 3.5, want -1.25 (first of 12): as if everything past the end of the block had been a
//   ghost. All of them lie within 2 elements of a multiple of 256."
std::optional<Explanation> Explain(const Problem& p, const Inputs& inputs, const float* out);

}  // namespace lab4
