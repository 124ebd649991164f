// The hidden cases of lab10: arrays that nobody can have written down beforehand. The students' edition is linked
// without this file (labs/CMakeLists.txt). Tested by tests/course/lab10/lab10_judge_test.cc.
#include "labs/lab10/hidden.h"

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

#include "labs/support/judging.h"

namespace lab10 {

using lab::Uniform;
using warpgrade::Random;

namespace {

// A multiple of a block's or a tile's size, or one more, or one less.
size_t NearBlock(Random& random) {
  const size_t block = size_t{32} << Uniform(random, 0, 8);
  return block * Uniform(random, 1, 5) + Uniform(random, 0, 2) - 1;
}

}  // namespace

// Sizes that no one can prepare for, of the kinds where sorts go wrong, with each kind of values.
std::vector<Problem> HiddenCases(std::string_view rung, Random& random) {
  std::vector<Problem> problems;
  const auto add = [&](size_t n, Pattern pattern, size_t bits = kKeyBits) {
    problems.push_back({.n = n, .bits = static_cast<int>(bits), .pattern = pattern});
  };
  add(Uniform(random, 3, 30), kRandom);
  add(Uniform(random, 33, 500), kReversed);
  add(NearBlock(random), kRandom);
  add(NearBlock(random), kExtremes);
  add(Uniform(random, 5000, 15'000), kRandom);
  add(Uniform(random, 1000, 10'000), kFew);
  add(Uniform(random, 1000, 10'000), kSorted);
  add(Uniform(random, 1000, 10'000), kEqual);
  add(Uniform(random, 20'000, 40'000), kRandom);  // many tiles
  if (SortsWholeElements(rung)) return problems;
  add(NearBlock(random), kRandom, Uniform(random, 1, 8));
  add(Uniform(random, 5000, 20'000), kRandom, Uniform(random, 9, 16));
  add(Uniform(random, 20'000, 40'000), kRandom, Uniform(random, 9, 31));
  add(Uniform(random, 1000, 10'000), kReversed, Uniform(random, 17, 31));
  add(Uniform(random, 1000, 10'000), kExtremes, Uniform(random, 2, 31));
  add(Uniform(random, 1000, 10'000), kFew, Uniform(random, 5, 31));
  add(Uniform(random, 1000, 10'000), kEqual, Uniform(random, 1, 31));
  return problems;
}

}  // namespace lab10
