// The hidden cases of lab7: inputs that nobody can have written down beforehand. The students' edition is linked
// without this file (labs/CMakeLists.txt). Tested by tests/course/lab7/lab7_judge_test.cc.
#include "labs/lab7/hidden.h"

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

#include "labs/lab7/lab7.h"
#include "labs/support/judging.h"

namespace lab7 {

using lab::Uniform;
using warpgrade::Random;

// Sizes that no one can prepare for, of the kinds where kernels go wrong, with each kind of values and each type.
std::vector<Problem> HiddenCases(std::string_view /*rung*/, Random& random) {
  std::vector<Problem> problems;
  const auto add = [&](size_t n, size_t bins, int32_t variant, Pattern pattern) {
    problems.push_back({.n = n, .bins = static_cast<int>(bins), .variant = variant, .pattern = pattern});
  };
  for (const int32_t variant : {kByte, kInt}) {
    add(Uniform(random, 1, 300), 256, variant, kUniform);
    // Around what a warp, a block or a grid takes in one go.
    const size_t step = size_t{1} << Uniform(random, 5, 14);
    add(step * Uniform(random, 1, 100000 / step) + Uniform(random, 0, 2) - 1, 256, variant, kUniform);
    add(Uniform(random, 10000, 200000), Uniform(random, 2, 255), variant, kUniform);
    add(Uniform(random, 10000, 200000), Uniform(random, 257, kMaxBins), variant, kUniform);
    add(Uniform(random, 10000, 200000), size_t{1} << Uniform(random, 1, 12), variant, kUniform);
    add(Uniform(random, 70000, 500000), 256, variant, kEqual);
    add(Uniform(random, 10000, 100000), Uniform(random, 2, kMaxBins), variant, kSorted);
    add(Uniform(random, 10000, 100000), Uniform(random, 2, 300), variant, kTwo);
    add(Uniform(random, 10000, 100000), Uniform(random, 2, kMaxBins), variant, kSkewed);
    add(Uniform(random, 10000, 100000), Uniform(random, 1, 200), variant, kOutside);
    add(0, Uniform(random, 1, kMaxBins), variant, kUniform);
  }
  return problems;
}

}  // namespace lab7
