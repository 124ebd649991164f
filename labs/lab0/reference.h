// The answers on the CPU, element by element. Those that a GPU checks too are in elements.h.
//
// There is no tolerance in this lab. A sum of two floats is rounded once, to the nearest: in double precision, which
// holds 29 bits more, and then to float gives the same bits (innocuous double rounding, since 53 >= 2 * 24 + 2). All
// else is whole numbers, or copied.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "labs/lab0/elements.h"
#include "labs/lab0/values.h"

namespace lab0 {

float Sum(float a, float b);

// d_counts of count_classes.
std::vector<uint64_t> Counts(const Problem& p, const uint8_t* classes);

}  // namespace lab0
