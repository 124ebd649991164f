// The answers on the CPU, element by element.
//
// There is no tolerance in this lab. A sum of two floats is rounded once, to the nearest: in double precision, which
// holds 29 bits more, and then to float gives the same bits (innocuous double rounding, since 53 >= 2 * 24 + 2). All
// else is whole numbers, or copied.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "labs/lab0/values.h"

namespace lab0 {

float Sum(float a, float b);
uint8_t Grey(uint8_t red, uint8_t green, uint8_t blue);

// d_out[i] of two_links_on. `p.second` is the segment; all arrays have p.first elements.
double TwoLinksOn(const Problem& p, const uint8_t* flag, const uint16_t* next, const double* value, size_t i);

// d_counts of count_classes.
std::vector<uint64_t> Counts(const Problem& p, const uint8_t* classes);

}  // namespace lab0
