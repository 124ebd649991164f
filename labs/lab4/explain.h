// Says in words how a student's d_out differs from the convolution: which element first, what is there, what that looks
// like, and whether the wrong elements have something in common.
#pragma once

#include <cstddef>
#include <optional>
#include <string>

#include "labs/lab4/reference.h"
#include "labs/lab4/values.h"

namespace lab4 {

// Every byte of an output before the student's function is called. judge::kPoison, for those who do not know the judge.
inline constexpr unsigned char kPoisonByte = 0xCB;

struct Explanation {
  size_t index = 0;       // first wrong element of d_out
  size_t count = 0;       // how many are wrong
  std::string got, want;  // got is "never written" when the poison is still there
  // "1000, mask 5: d_out[254] is 3.5, want -1.25 (first of 12): as if everything past the end of the block had been a
  // ghost. All of them lie within 2 elements of a multiple of 256."
  std::string message;
};

// Compares and explains; nullopt when `out` is right.
std::optional<Explanation> Explain(const Problem& p, const Inputs& inputs, const float* out);

}  // namespace lab4
