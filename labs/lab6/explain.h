// Says in words how a student's field differs from the right one: which element first, what is there, what that looks
// like, and whether the wrong elements have something in common.
#pragma once

#include <cstddef>
#include <optional>
#include <string>

#include "labs/lab6/values.h"

namespace lab6 {

// Every byte of an output before the student's function is called. judge::kPoison, for those who do not know the judge.
inline constexpr unsigned char kPoisonByte = 0xCB;

struct Explanation {
  size_t index = 0;       // first wrong element
  size_t count = 0;       // how many are wrong
  std::string got, want;  // got is "never written" when the poison is still there
  // "40 x 70, 9 points, 3 steps: out[71] (row 1, column 1) is 2, want 0.25 (first of 2584): as if only 2 of 3 steps had
  // been done."
  std::string message;
};

// Compares and explains; nullopt when `out` is right. `in` is pristine.
std::optional<Explanation> Explain(const Problem& p, const float* in, const float* out);

}  // namespace lab6
