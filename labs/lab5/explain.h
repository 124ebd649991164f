// Says in words what is wrong with a scan: where it starts, how much of it, and what it looks like.
#pragma once

#include <cstddef>
#include <optional>
#include <string>

#include "labs/lab5/values.h"
#include "labs/support/explanation.h"

namespace lab5 {

using lab::Explanation;
using lab::kPoisonByte;

// Compares and explains; nullopt when `out` is right. `in` is pristine. A message:
//
//   "n = 1000, int, inclusive: d_out[512] is 3, want 40 (first of 488): as if nothing had come before element 512."
std::optional<Explanation> Explain(const Problem& p, const void* in, const void* out);

}  // namespace lab5
