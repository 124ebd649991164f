// The hidden cases of lab4: lines and images that nobody can have written down beforehand. The students' edition is
// linked without this file (labs/CMakeLists.txt). Tested by tests/course/lab4/lab4_judge_test.cc.
#include "labs/lab4/hidden.h"

#include <cstddef>
#include <string_view>
#include <vector>

#include "labs/lab4/lab4.h"
#include "labs/support/judging.h"

namespace lab4 {

using lab::Uniform;
using warpgrade::Random;

namespace {

// Odd, in [1, most].
int OddUpTo(Random& random, int most) {
  return 1 + 2 * static_cast<int>(Uniform(random, 0, static_cast<size_t>(most / 2)));
}

size_t NearMultiple(Random& random, size_t of, size_t most) {
  return of * Uniform(random, 1, most / of) + Uniform(random, 0, 2) - 1;
}

// Sizes that no one can prepare for, of the kinds where kernels go wrong, with each kind of values.
std::vector<Problem> HiddenLines(Random& random) {
  std::vector<Problem> problems;
  const auto add = [&](size_t n, int width, Pattern pattern) {
    problems.push_back({.variant = kLine, .columns = n, .mask_columns = width, .pattern = pattern});
  };
  for (const size_t block : {32, 128, 256, 1024}) {
    add(NearMultiple(random, block, 8192), OddUpTo(random, kMaxWidth), kExact);
  }
  // Each kind of mask that a kernel may have a path of its own for: narrow, near 16, 32, 64, and the widest.
  for (const int width : {1, 3, 15, 29, 61, 125}) {
    add(Uniform(random, 1, 10000), width + static_cast<int>(2 * Uniform(random, 0, 1)), kExact);
  }
  add(4 * Uniform(random, 100, 2000), OddUpTo(random, 31), kExact);  // whole quads
  add(Uniform(random, 1, 100), OddUpTo(random, kMaxWidth), kExact);
  add(Uniform(random, 1, 20), kMaxWidth, kExact);
  add(Uniform(random, 100, 5000), OddUpTo(random, kMaxWidth), kFractions);
  add(Uniform(random, 100, 5000), OddUpTo(random, kMaxWidth), kSpoiled);
  add(NearMultiple(random, 256, 2048), OddUpTo(random, 15), kSpoiled);
  return problems;
}

std::vector<Problem> HiddenImages(Random& random) {
  std::vector<Problem> problems;
  const auto add = [&](size_t rows, size_t columns, int mask_rows, int mask_columns, Pattern pattern) {
    problems.push_back(
        {.rows = rows, .columns = columns, .mask_rows = mask_rows, .mask_columns = mask_columns, .pattern = pattern});
  };
  for (const size_t tile : {16, 32, 64, 128}) {
    add(NearMultiple(random, tile, 128), NearMultiple(random, tile, 256), OddUpTo(random, 15), OddUpTo(random, 15),
        kExact);
  }
  // Square masks, as most filters have, in images of whole quads; rectangular ones; the largest.
  for (const int side : {3, 5, 9, 15}) {
    add(Uniform(random, 20, 150), 4 * Uniform(random, 5, 120), side, side, kExact);
  }
  add(Uniform(random, 20, 120), Uniform(random, 20, 120), OddUpTo(random, 31), 1, kExact);
  add(Uniform(random, 20, 120), Uniform(random, 20, 120), 1, OddUpTo(random, 31), kExact);
  add(Uniform(random, 20, 120), Uniform(random, 20, 120), 31, 31, kExact);
  add(Uniform(random, 1, 30), Uniform(random, 1, 30), OddUpTo(random, 31), OddUpTo(random, 31), kExact);
  add(Uniform(random, 1, 3), Uniform(random, 300, 900), OddUpTo(random, 31), OddUpTo(random, 31), kExact);
  add(Uniform(random, 300, 900), Uniform(random, 1, 3), OddUpTo(random, 31), OddUpTo(random, 31), kExact);
  add(Uniform(random, 20, 150), Uniform(random, 20, 150), OddUpTo(random, 31), OddUpTo(random, 31), kFractions);
  add(Uniform(random, 20, 150), Uniform(random, 20, 150), OddUpTo(random, 31), OddUpTo(random, 31), kSpoiled);
  add(Uniform(random, 2, 80), 4 * Uniform(random, 1, 60), OddUpTo(random, 11), OddUpTo(random, 11), kSpoiled);
  return problems;
}

std::vector<Problem> HiddenPlanes(Random& random) {
  std::vector<Problem> problems;
  const auto add = [&](size_t rows, size_t columns, int most, Pattern pattern) {
    problems.push_back({.rows = rows,
                        .columns = columns,
                        .mask_rows = OddUpTo(random, most),
                        .mask_columns = OddUpTo(random, most),
                        .pattern = pattern,
                        .planes = Uniform(random, 2, 6)});
  };
  for (const size_t block : {8, 16, 32})
    add(NearMultiple(random, block, 96), NearMultiple(random, block, 96), 9, kExact);
  // Square, where a stride of rows * rows is right too, and as different as can be.
  const size_t side = Uniform(random, 20, 80);
  add(side, side, 7, kExact);
  add(Uniform(random, 1, 3), Uniform(random, 100, 400), 15, kExact);
  add(Uniform(random, 100, 400), Uniform(random, 1, 3), 15, kExact);
  add(Uniform(random, 1, 20), Uniform(random, 1, 20), 31, kExact);
  add(Uniform(random, 20, 90), Uniform(random, 20, 90), 15, kFractions);
  add(Uniform(random, 20, 90), Uniform(random, 20, 90), 15, kSpoiled);
  return problems;
}

}  // namespace

std::vector<Problem> HiddenCases(std::string_view rung, Random& random) {
  if (VariantOf(rung) == kPlanes) return HiddenPlanes(random);
  return VariantOf(rung) == kLine ? HiddenLines(random) : HiddenImages(random);
}

}  // namespace lab4
