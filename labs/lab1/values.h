// One reduction to do, and the values that its input is made of. Every value is a function of (seed, index), so any
// number of threads draws the same input.
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>

#include "labs/lab1/layout.h"

namespace lab1 {

// Case::pattern. Except for kFractions, all values are integers so small that every partial sum is exact in float. The
// answer must then be exact too, whatever the order of additions, and a single lost element shows.
enum class Values : uint32_t {
  kRandom,       // sum: integers from -64 to 64 without 0; max: the whole range
  kFractions,    // in (0, 1], with all the bits that a float in there has: the case with a tolerance
  kEqual,        // sum: all 1, so the answer counts the elements; max: all -5
  kStairs,       // sum: a step up every 32 elements, 13 steps, repeated; max: rising to -1 at the last element
  kAlternating,  // 1024, -1024, 1024, ...
  kNegative,     // below 0: a neutral element of 0 shows in a maximum
  kPeakFirst,    // small values and one of 2^20: at the first element,
  kPeakLast,     // at the last,
  kPeakInside,   // or anywhere
};

struct ValuesInfo {
  Values values;
  const char* name;   // in cases.yaml
  const char* words;  // in a case's name; "" for the ordinary one
};
inline constexpr ValuesInfo kAllValues[] = {
    {Values::kRandom, "random", ""},
    {Values::kFractions, "fractions", "fractions"},
    {Values::kEqual, "equal", "all elements equal"},
    {Values::kStairs, "stairs", "values in stairs"},
    {Values::kAlternating, "alternating", "alternating signs"},
    {Values::kNegative, "negative", "negative values only"},
    {Values::kPeakFirst, "peak_first", "largest element first"},
    {Values::kPeakLast, "peak_last", "largest element last"},
    {Values::kPeakInside, "peak_inside", "one large element"},
};
const ValuesInfo& Info(Values values);

// The largest input whose partial sums are exact in float for every `Values` except kFractions: 2^20 and a few steps.
// For kRandom there is no such limit in practice. Its partial sums are random walks, exact far beyond 2^28 elements.
inline constexpr size_t kMostExactElements = (size_t{1} << 20) + 4096;

// What stands in the fences around d_in: a value that ruins the answer when it is read.
template <typename T>
constexpr T FenceValue(Operation operation) {
  return operation == Operation::kSum ? T(1 << 22) : std::numeric_limits<T>::max();
}

struct Problem {
  size_t n = 0;
  Variant variant;
  Values values = Values::kRandom;
  size_t front = 0, back = 0;  // elements of the input buffer before d_in[0] and after d_in[n - 1] (layout.h)

  // Of the input buffer, fences included.
  size_t InBytes() const { return (front + n + back) * ElementBytes(variant.element); }
};

// Fills the input buffer, `p.InBytes()` bytes. The content depends on `seed` alone, not on the number of threads.
void DrawInput(const Problem& p, uint64_t seed, void* to);

}  // namespace lab1
