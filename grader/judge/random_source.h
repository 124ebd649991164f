// The judge's source of random values: the system's entropy, drawn afresh for every call. The content of a call cannot
// be known before the call or guessed from another call's.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

#include "grader/lab/lab.h"

namespace warpgrade::judge {

class RandomSource {
 public:
  // `seed` is for tests only: with it, the n-th generator is the same in every run.
  explicit RandomSource(std::optional<uint64_t> seed = std::nullopt) : seed_(seed) {}

  // A generator seeded with fresh entropy.
  Random Next();
  // 64 fresh bits, for a nonce.
  uint64_t NextBits();

 private:
  std::optional<uint64_t> seed_;
  uint64_t drawn_ = 0;
};

// A seed for one use ("order", "delays") of one case, made from the seed of the whole grading; never 0. The program
// gets some of them. They tell nothing about the others, as long as the seed of the grading has too many values to try.
uint64_t SeedFor(std::string_view use, uint64_t seed, uint64_t number);

}  // namespace warpgrade::judge
