// What stands in a test matrix: values that show where each element came from, and how to print them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>

#include "labs/lab2/reference.h"

namespace lab2 {

// Case::pattern.
enum Pattern : uint32_t {
  kOrdinary = 0,   // readable numbers, each of them only once in the matrix, so that any misplacement shows
  kAwkward = 1,    // bits that do not survive arithmetic: NaNs with payloads, -0.0, infinities, denormals, any int
  kEqualRows = 2,  // every row the same: a kernel that only looks right on one row, or that skips "known" rows, fails
};
inline constexpr int kPatternCount = 3;

const char* Name(Pattern pattern);  // "ordinary", as in cases.yaml

// Fills `bytes` (shape.Bytes() of them) with elements of type `variant` (lab2.h). The content depends on `seed` alone,
// not on the number of threads, and cannot be continued from a few elements without knowing the seed.
void DrawMatrix(const Shape& shape, int32_t variant, Pattern pattern, uint64_t seed, void* to);

// One element, as printed to a person: "3.25", "-0", "nan (0x7fc00001)", "-17".
std::string Print(int32_t variant, const void* element);

}  // namespace lab2
