// Says in words what is wrong with a scan: where it starts, how much of it, and what it looks like.
#pragma once

#include <cstddef>
#include <optional>
#include <string>

#include "labs/lab5/values.h"

namespace lab5 {

// Every byte of an output before the student's function is called. judge::kPoison, for those who do not know the judge.
inline constexpr unsigned char kPoisonByte = 0xCB;

struct Explanation {
  size_t index = 0;       // first wrong element of d_out
  size_t count = 0;       // how many are wrong
  std::string got, want;  // got is "never written" when the poison is still there
  // "n = 1000, int, inclusive: d_out[512] is 3, want 40 (first of 488): as if nothing had come before element 512."
  std::string message;
};

// Compares and explains; nullopt when `out` is right. `in` is pristine.
std::optional<Explanation> Explain(const Problem& p, const void* in, const void* out);

}  // namespace lab5
