// Says in words how a student's C differs from A * B: which element first, what is there, what that looks like, and
// whether the wrong elements have something in common.
#pragma once

#include <cstddef>
#include <optional>
#include <string>

#include "labs/lab3/values.h"

namespace lab3 {

// Every byte of an output before the student's function is called. judge::kPoison, for those who do not know the judge.
inline constexpr unsigned char kPoisonByte = 0xCB;

struct Explanation {
  size_t index = 0;       // first wrong element of C
  size_t count = 0;       // how many are wrong
  std::string got, want;  // got is "never written" when the poison is still there
  // "33 x 40 times 40 x 65: C[0] (row 0, column 0) is 3.5, want -1.25 (first of 2145, which is all of them): as if only
  // the first 32 of 40 products had been added."
  std::string message;
};

// Compares and explains; nullopt when `c` is right. `a` and `b` are pristine.
std::optional<Explanation> Explain(const Problem& p, const void* a, const void* b, const float* c);

}  // namespace lab3
