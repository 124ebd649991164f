// The hidden cases of lab2: matrices that nobody can have written down beforehand. The students' edition is linked
// without this file (labs/CMakeLists.txt). Tested by tests/course/lab2/lab2_judge_test.cc.
#include "labs/lab2/hidden.h"

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

#include "labs/lab2/lab2.h"
#include "labs/support/judging.h"

namespace lab2 {

using lab::Uniform;
using warpgrade::Random;

namespace {

// A multiple of 32, or one more, or one less.
size_t NearTile(Random& random) { return 32 * Uniform(random, 1, 24) + Uniform(random, 0, 2) - 1; }

}  // namespace

// Sizes that no one can prepare for, of the kinds where kernels go wrong, with each type and each kind of values.
std::vector<MatrixCase> HiddenCases(std::string_view /*rung*/, Random& random) {
  std::vector<MatrixCase> cases;
  for (int32_t variant = 0; variant < kVariantCount; ++variant) {
    cases.push_back({NearTile(random), NearTile(random), variant, kOrdinary});
    cases.push_back({Uniform(random, 2, 300), Uniform(random, 300, 900), variant, kAwkward});
    cases.push_back({Uniform(random, 300, 900), Uniform(random, 2, 300), variant, kEqualRows});
    // Multiples of 4: what a kernel with wide loads takes for its own, but seldom whole tiles.
    cases.push_back({4 * Uniform(random, 1, 200), 4 * Uniform(random, 1, 200), variant, kOrdinary});
  }
  const auto any_variant = [&] { return static_cast<int32_t>(Uniform(random, 0, kVariantCount - 1)); };
  cases.push_back({Uniform(random, 1, 4), Uniform(random, 2000, 50000), any_variant(), kOrdinary});
  cases.push_back({Uniform(random, 2000, 50000), Uniform(random, 1, 4), any_variant(), kOrdinary});
  cases.push_back({Uniform(random, 1, 31), Uniform(random, 1, 31), any_variant(), kOrdinary});
  return cases;
}

}  // namespace lab2
