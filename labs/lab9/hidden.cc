// The hidden cases of lab9: matrices that nobody can have written down beforehand. The students' edition is linked
// without this file (labs/CMakeLists.txt). Tested by tests/course/lab9/lab9_judge_test.cc.
#include "labs/lab9/hidden.h"

#include <cstddef>
#include <string_view>
#include <vector>

#include "labs/support/judging.h"

namespace lab9 {

using lab::Uniform;
using warpgrade::Random;

// Sizes that no one can prepare for, of the kinds where kernels go wrong, with each kind of lengths and of values.
std::vector<Problem> HiddenCases(std::string_view /*rung*/, Random& random) {
  std::vector<Problem> problems;
  const auto add = [&](size_t rows, size_t mean, Lengths lengths, Values values) {
    const size_t nonzeros = rows * mean + Uniform(random, 0, rows / 2);
    problems.push_back({.rows = rows,
                        .columns = Uniform(random, 1, 6000),
                        .nonzeros = nonzeros,
                        .lengths = lengths,
                        .values = values});
  };
  // Means on both sides of each number of lanes that a row may get.
  for (const size_t lanes : {2, 4, 8, 16, 32, 64}) {
    const size_t mean = lanes + Uniform(random, 0, 2) - 1;
    add(Uniform(random, 1, 24000 / lanes), mean, lanes % 8 == 2 ? kEven : kUneven,
        lanes % 8 == 4 ? kFractions : kExact);
  }
  add(Uniform(random, 1, 40), Uniform(random, 100, 500), kUneven, kExact);
  add(Uniform(random, 1, 40), Uniform(random, 100, 500), kEven, kFractions);
  // Around what a warp or a block takes in one go.
  const size_t step = size_t{1} << Uniform(random, 5, 11);
  add(step * Uniform(random, 1, 3000 / step + 1) + Uniform(random, 0, 2) - 1, Uniform(random, 1, 5), kUneven, kExact);
  add(Uniform(random, 1000, 4000), Uniform(random, 3, 10), kSkewed, kExact);
  add(Uniform(random, 1000, 4000), Uniform(random, 3, 10), kSkewed, kFractions);
  add(Uniform(random, 2, 60), Uniform(random, 200, 600), kSkewed, kExact);
  add(Uniform(random, 10000, 90000), 0, kSkewed, kExact);
  add(Uniform(random, 2, 9000), 2, kOneRow, kExact);
  add(Uniform(random, 300, 3000), Uniform(random, 2, 20), kUneven, kSpoiled);
  add(Uniform(random, 300, 3000), Uniform(random, 2, 10), kSkewed, kSpoiled);
  problems.push_back({.rows = Uniform(random, 1, 5000), .columns = Uniform(random, 0, 10)});
  return problems;
}

}  // namespace lab9
