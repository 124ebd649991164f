// The histogram on the CPU. Counts are whole numbers, so there is one right answer and no tolerance.
#pragma once

#include <cstdint>
#include <vector>

#include "labs/lab7/values.h"

namespace lab7 {

// How often each of 0 .. p.bins - 1 occurs among the elements number begin .. end - 1 of `in`.
std::vector<uint64_t> Count(const Problem& p, const void* in, size_t begin, size_t end);

// The whole of `in`.
inline std::vector<uint64_t> Count(const Problem& p, const void* in) { return Count(p, in, 0, p.n); }

}  // namespace lab7
