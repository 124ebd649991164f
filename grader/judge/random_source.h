// Where the judge's random values come from: the system's entropy, afresh for every call, so that no call's content can
// be known before it or guessed from another's.
#pragma once

#include <cstdint>
#include <optional>

#include "grader/lab/lab.h"

namespace warpgrade::judge {

class RandomSource {
 public:
  // `seed`: for tests only; then the n-th generator is the same in every run.
  explicit RandomSource(std::optional<uint64_t> seed = std::nullopt) : seed_(seed) {}

  // A generator seeded with fresh entropy.
  Random Next();
  // 64 fresh bits: a nonce.
  uint64_t NextBits();

 private:
  std::optional<uint64_t> seed_;
  uint64_t drawn_ = 0;
};

}  // namespace warpgrade::judge
