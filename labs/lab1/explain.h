// Says in words what is wrong with a reduction, as far as the numbers tell: a last warp that was left out, a fence that
// was read, a neutral element that is not neutral.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "labs/lab1/values.h"
#include "labs/support/explanation.h"

namespace lab1 {

using lab::Explanation;
using lab::kPoisonByte;

// Compares and explains; nullopt when the one element of `out` is right. `in` is the whole input buffer as it was
// drawn. The message names what the answer looks like, which need not be what happened:
//
//   "n = 1000, float, sum: d_out[0] is 1012, should be 1234, as if the last 232 elements had been left out"
std::optional<Explanation> Explain(const Problem& p, const void* in, const void* out);

// "499200", "-0.1171875", "nan": enough digits to tell any two values apart.
std::string Print(int32_t value);
std::string Print(float value);
std::string Print(double value);

}  // namespace lab1
