// The right answer of a scan, computed on the CPU in fp64, and the comparison with what a rung left.
#pragma once

#include <cstddef>

#include "labs/lab5/values.h"

namespace lab5 {

// Which elements of an output are wrong.
struct Difference {
  size_t count = 0;
  size_t first = 0, last = 0;  // meaningful when count > 0
};

// Compares all n elements of `out` with the scan of `in`. Uses several threads and no memory to speak of. Sums are
// exact in fp64 for every pattern: whole numbers, and multiples of 2^-24 up to 2^28. NaN is wrong: no sum here is NaN.
Difference Compare(const Problem& p, const void* in, const void* out);

// Element i of the scan. Takes i additions. REQUIRES: i < p.n.
double ScanAt(const Problem& p, const void* in, size_t i);

}  // namespace lab5
