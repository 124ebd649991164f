// The judge's source of random values: the system's entropy, drawn afresh for every call. The content of a call cannot
// be known before the call or guessed from another call's.
#pragma once

#include <cstdint>
#include <optional>

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

}  // namespace warpgrade::judge
