// The hidden cases of lab3: matrices that nobody can have written down beforehand. The students' edition is linked
// without this file (labs/CMakeLists.txt). Tested by tests/course/lab3/lab3_judge_test.cc.
#include "labs/lab3/hidden.h"

#include <cstddef>
#include <iterator>
#include <string_view>
#include <vector>

#include "labs/support/judging.h"

namespace lab3 {

using lab::Uniform;
using warpgrade::Random;

namespace {

// A multiple of a tile's side, or one more, or one less; up to 257.
size_t NearTile(Random& random) {
  const size_t side = size_t{16} << Uniform(random, 0, 3);
  return side * Uniform(random, 1, 256 / side) + Uniform(random, 0, 2) - 1;
}

size_t Prime(Random& random) {
  constexpr size_t kPrimes[] = {2, 3, 5, 7, 11, 13, 17, 37, 61, 67, 97, 127, 131, 191, 193, 251, 257, 263, 293};
  return kPrimes[Uniform(random, 0, std::size(kPrimes) - 1)];
}

// More blocks than gridDim.y can count, of 8, 16 or 32 columns for v1, and of so many rows for v2 and v3. The tiles of
// the other rungs are too large for that. Sums are empty, so that the emulator has only the blocks to run. That takes
// it a second, so these are no public cases, which a student runs after each edit.
void AddManyBlocks(std::string_view rung, std::vector<Problem>* problems) {
  constexpr size_t kMany = 2097153;
  if (rung.starts_with("v1_")) problems->push_back({.m = 1, .k = 0, .n = kMany, .pattern = kExact});
  if (rung.starts_with("v2_") || rung.starts_with("v3_")) {
    problems->push_back({.m = kMany, .k = 0, .n = 1, .pattern = kExact});
  }
}

}  // namespace

// Sizes that no one can prepare for, of the kinds where kernels go wrong, with each kind of values.
std::vector<Problem> HiddenCases(std::string_view rung, Random& random) {
  std::vector<Problem> problems;
  AddManyBlocks(rung, &problems);
  const auto add = [&](size_t m, size_t k, size_t n, Pattern pattern) {
    problems.push_back({.m = m, .k = k, .n = n, .pattern = pattern});
  };
  for (int i = 0; i < 3; ++i) add(NearTile(random), NearTile(random), NearTile(random), kExact);
  for (int i = 0; i < 2; ++i) add(Prime(random), Prime(random), Prime(random), kExact);
  // Multiples of 4 and of 8: what a kernel with wide loads takes for its own, but seldom whole tiles.
  add(4 * Uniform(random, 1, 60), 4 * Uniform(random, 1, 60), 4 * Uniform(random, 1, 60), kExact);
  add(8 * Uniform(random, 1, 30), 8 * Uniform(random, 1, 30), 8 * Uniform(random, 1, 30), kExact);
  // Rows of A that are wide loads, rows of B and C that are not, and the other way around.
  add(Uniform(random, 20, 200), 8 * Uniform(random, 1, 20), 8 * Uniform(random, 1, 20) + Uniform(random, 1, 7), kExact);
  add(Uniform(random, 20, 200), 8 * Uniform(random, 1, 20) + Uniform(random, 1, 7), 8 * Uniform(random, 1, 20), kExact);
  // Whole tiles, also of v6, in two of the three sizes.
  add(256, 8 * Uniform(random, 1, 8) + 4, 128, kExact);
  add(256 - 4 * Uniform(random, 1, 15), 32, 128, kExact);
  add(256, 32, 128 + 4 * Uniform(random, 1, 15), kExact);
  add(Uniform(random, 1, 15), Uniform(random, 500, 900), Uniform(random, 1, 15), kExact);
  add(Uniform(random, 1, 300), 0, Uniform(random, 1, 300), kExact);
  add(NearTile(random), NearTile(random), NearTile(random), kSpoiled);
  add(Uniform(random, 2, 150), Uniform(random, 2, 150), Uniform(random, 2, 150), kSpoiled);
  add(Uniform(random, 30, 200), Uniform(random, 200, 400), Uniform(random, 30, 200), kFractions);
  return problems;
}

}  // namespace lab3
