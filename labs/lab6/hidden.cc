// The hidden cases of lab6: fields that nobody can have written down beforehand. The students' edition is linked
// without this file (labs/CMakeLists.txt). Tested by tests/course/lab6/lab6_judge_test.cc.
#include "labs/lab6/hidden.h"

#include <cstddef>
#include <cstdint>
#include <iterator>
#include <string_view>
#include <vector>

#include "labs/support/judging.h"

namespace lab6 {

using lab::Uniform;
using warpgrade::Random;

namespace {

// A multiple of a tile's or a strip's side, or one or two more, or one less.
size_t NearTile(Random& random) {
  constexpr size_t kSides[] = {8, 16, 30, 32, 60, 64, 120};
  const size_t side = kSides[Uniform(random, 0, std::size(kSides) - 1)];
  return side * Uniform(random, 1, 250 / side) + Uniform(random, 0, 3) - 1;
}

}  // namespace

// Sizes that no one can prepare for, of the kinds where kernels go wrong, with each kind of values.
std::vector<Problem> HiddenCases(std::string_view /*rung*/, Random& random) {
  std::vector<Problem> problems;
  const auto add = [&](size_t rows, size_t columns, size_t steps, Pattern pattern) {
    const int32_t points = problems.size() % 2 == 0 ? kNine : kFive;
    problems.push_back({.rows = rows,
                        .columns = columns,
                        .steps = static_cast<int>(steps),
                        .points = points,
                        .pattern = pattern,
                        .weights = WeightsKey(pattern, Uniform(random, 0, uint64_t{1} << 30))});
  };
  for (size_t steps = 1; steps <= kMostExactSteps; ++steps) {
    add(NearTile(random), NearTile(random), steps, kExact);
    add(NearTile(random), NearTile(random), steps, kExact);
  }
  // Rows that start at multiples of 16 bytes without being whole strips.
  for (int i = 0; i < 2; ++i) add(Uniform(random, 3, 200), 4 * Uniform(random, 1, 90), Uniform(random, 1, 5), kExact);
  add(Uniform(random, 3, 300), Uniform(random, 3, 300), 0, kExact);
  add(Uniform(random, 500, 3000), Uniform(random, 3, 6), Uniform(random, 1, 5), kExact);
  add(Uniform(random, 3, 6), Uniform(random, 500, 3000), Uniform(random, 1, 5), kExact);
  add(Uniform(random, 1, 2), Uniform(random, 1, 500), Uniform(random, 1, 5), kExact);
  for (int i = 0; i < 2; ++i) add(NearTile(random), NearTile(random), Uniform(random, 6, 24), kFractions);
  for (int i = 0; i < 4; ++i) add(NearTile(random), NearTile(random), Uniform(random, 1, 5), kSpoiled);
  return problems;
}

}  // namespace lab6
