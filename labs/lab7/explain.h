// Says in words how a student's counts differ from the right ones: which bin first, what is there, and what that looks
// like.
#pragma once

#include <cstddef>
#include <optional>
#include <string>

#include "labs/lab7/values.h"
#include "labs/support/explanation.h"

namespace lab7 {

using lab::Explanation;
using lab::kPoisonByte;

// Compares and explains; nullopt when all `counts` are right. `in` is pristine. A message:
//
//   "1003 bytes, 256 bins: bin 17 is 3, want 4 (first of 3 wrong bins): as if the last 3 elements had not been
//   counted."
std::optional<Explanation> Explain(const Problem& p, const void* in, const unsigned* counts);

}  // namespace lab7
