// Says in words how a student's output differs from the transpose: which element first, what is there, where that value
// came from, and whether the wrong elements have something in common.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>

#include "labs/lab2/reference.h"
#include "labs/support/explanation.h"

namespace lab2 {

using lab::Explanation;
using lab::kPoisonByte;

// Compares and explains; nullopt when `out` is the transpose of `in`, bit by bit. `in` is pristine. A message:
//
//   "1000 x 33: out[992] (row 0, column 992) was never written (first of 264). All of them lie in columns 992 and up of
//   the output, past its last multiple of 32."
std::optional<Explanation> Explain(const Shape& shape, int32_t variant, const void* in, const void* out);

}  // namespace lab2
