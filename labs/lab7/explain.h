// Says in words how a student's counts differ from the right ones: which bin first, what is there, and what that looks
// like.
#pragma once

#include <cstddef>
#include <optional>
#include <string>

#include "labs/lab7/values.h"

namespace lab7 {

// Every byte of an output before the student's function is called. judge::kPoison, for those who do not know the judge.
inline constexpr unsigned char kPoisonByte = 0xCB;

struct Explanation {
  size_t index = 0;       // first wrong bin
  size_t count = 0;       // how many are wrong
  std::string got, want;  // got is "never written" when the poison is still there
  // "1003 bytes, 256 bins: bin 17 is 3, want 4 (first of 3 wrong bins): as if the last 3 elements had not been
  // counted."
  std::string message;
};

// Compares and explains; nullopt when all `counts` are right. `in` is pristine.
std::optional<Explanation> Explain(const Problem& p, const void* in, const unsigned* counts);

}  // namespace lab7
