// Says in words how a student's answer is wrong: which element first, what is there, what it looks like, and whether
// the wrong elements have something in common.
#pragma once

#include <array>
#include <cstddef>
#include <optional>
#include <string>

#include "labs/lab0/values.h"

namespace lab0 {

// Every byte of an output before the student's function is called. judge::kPoison, for those who do not know the judge.
inline constexpr unsigned char kPoisonByte = 0xCB;

struct Explanation {
  size_t index = 0;       // first wrong element
  size_t count = 0;       // how many are wrong
  std::string got, want;  // got is "never written" when the poison is still there
  // "n = 1000: h_c[768] was never written (first of 232), want 3.5. All of them lie at the end, from a multiple of 256
  // on: as if the last block were missing."
  std::string message;
};

// Compares and explains; nullopt when `output` is right. `inputs` are pristine, in the order of InputBytes.
std::optional<Explanation> Explain(const Problem& p, std::array<const void*, kInputs> inputs, const void* output);

// What vector_add returned; nullopt when that is right.
std::optional<Explanation> ExplainResult(const Problem& p, int result);

}  // namespace lab0
