// Says in words how a student's order differs from the right one: which element first, what is there, and what that
// looks like.
#pragma once

#include <cstdint>
#include <optional>

#include "labs/lab10/values.h"
#include "labs/support/explanation.h"

namespace lab10 {

using lab::Explanation;
using lab::kPoisonByte;

// Compares and explains; nullopt when `out` is the stable sort of `in`, which is pristine. A message:
//
//   "n = 1000: d_out[512] is 0x000041c6, want 0x7f03b2aa (first of 488 wrong elements): as if each part of 512 elements
//   had been sorted by itself."
std::optional<Explanation> Explain(const Problem& p, const uint32_t* in, const uint32_t* out);

}  // namespace lab10
