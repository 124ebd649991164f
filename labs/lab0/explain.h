// Says in words how a student's answer is wrong: which element first, what is there, what it looks like, and whether
// the wrong elements have something in common.
#pragma once

#include <array>
#include <cstddef>
#include <optional>
#include <string>

#include "labs/lab0/values.h"
#include "labs/support/explanation.h"

namespace lab0 {

using lab::Explanation;
using lab::kPoisonByte;

// Compares and explains; nullopt when `output` is right. `inputs` are pristine, in the order of InputBytes. A message:
//
//   "n = 1000: h_c[768] was never written (first of 232), want 3.5. All of them lie at the end, from a multiple of 256
//   on: as if the last block were missing."
std::optional<Explanation> Explain(const Problem& p, std::array<const void*, kInputs> inputs, const void* output);

// What vector_add returned; nullopt when that is right.
std::optional<Explanation> ExplainResult(const Problem& p, int result);

}  // namespace lab0
