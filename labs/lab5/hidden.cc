// The hidden cases of lab5: arrays that nobody can have written down beforehand. The students' edition is linked
// without this file (labs/CMakeLists.txt). Tested by tests/course/lab5/lab5_judge_test.cc.
#include "labs/lab5/hidden.h"

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

#include "labs/support/judging.h"

namespace lab5 {

using lab::Uniform;
using warpgrade::Random;

namespace {

// A multiple of a block's or a tile's size, or one more, or one less.
size_t NearBlock(Random& random) {
  const size_t block = size_t{32} << Uniform(random, 0, 8);
  return block * Uniform(random, 1, 7) + Uniform(random, 0, 2) - 1;
}

}  // namespace

// Sizes that no one can prepare for, of the kinds where kernels go wrong: each variant with each kind of size and
// values.
std::vector<Problem> HiddenCases(std::string_view /*rung*/, Random& random) {
  std::vector<Problem> problems;
  for (int32_t variant = 0; variant < kVariantCount; ++variant) {
    const auto add = [&](size_t n, Pattern pattern) {
      problems.push_back({.n = n, .variant = variant, .pattern = pattern});
    };
    add(NearBlock(random), kRandom);
    add(NearBlock(random), kOnes);
    add(Uniform(random, 3, 250), kRandom);
    add(Uniform(random, 1000, 70'000), kRandom);
    add(Uniform(random, 131'000, 200'000), kRandom);  // more than 512 blocks of 256: a third level
    if (!IsFloat(variant)) continue;
    add(Uniform(random, 3000, 70'000), kFractions);
    add(Uniform(random, 3000, 70'000), kInfinity);
  }
  problems.push_back({.n = Uniform(random, 2'163'000, 2'400'000), .variant = kIntExclusive});  // chunks of many tiles
  return problems;
}

}  // namespace lab5
