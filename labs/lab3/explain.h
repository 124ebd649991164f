// Says in words how a student's C differs from A * B: which element first, what is there, what that looks like, and
// whether the wrong elements have something in common.
#pragma once

#include <cstddef>
#include <optional>
#include <string>

#include "labs/lab3/values.h"
#include "labs/support/explanation.h"

namespace lab3 {

using lab::Explanation;
using lab::kPoisonByte;

// Compares and explains; nullopt when `c` is right. `a` and `b` are pristine. A message:
//
//   "33 x 40 times 40 x 65: C[0] (row 0, column 0) is 3.5, want -1.25 (first of 2145, which is all of them): as if only
//   the first 32 of 40 products had been added."
std::optional<Explanation> Explain(const Problem& p, const void* a, const void* b, const float* c);

}  // namespace lab3
