// Says in words how a student's answer is wrong: which element first, what is there, and what that looks like.
#pragma once

#include <array>
#include <optional>

#include "labs/lab8/values.h"
#include "labs/support/explanation.h"

namespace lab8 {

using lab::Explanation;
using lab::kPoisonByte;

// Compares and explains; nullopt when all outputs are right. `inputs` are pristine, in the order of lab8.h; unused
// pointers are null. A message:
//
//   "n = 1000, 256 threads: d_out[1] is 5, want 7 (the only wrong one)."
//
// For kName the output is what NamedFault() returned, in three ints. The message never says what is right, and not
// which of the three is wrong.
std::optional<Explanation> Explain(const Problem& p, std::array<const int*, kArrays> inputs,
                                   std::array<const int*, kArrays> outputs);

}  // namespace lab8
