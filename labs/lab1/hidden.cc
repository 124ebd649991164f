// The hidden cases of lab1: arrays that nobody can have written down beforehand. The students' edition is linked
// without this file (labs/CMakeLists.txt). Tested by tests/course/lab1/lab_test.cc.
#include "labs/lab1/hidden.h"

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

#include "labs/support/judging.h"

namespace lab1 {

using lab::Uniform;
using warpgrade::Random;

namespace {

constexpr size_t kMostHiddenElements = 70'000;  // so that 30 cases take the emulator about a second

Variant AnyVariant(Random& random) { return VariantFromNumber(static_cast<int32_t>(random() % kVariants)); }
Element AnyElement(Random& random) { return static_cast<Element>(random() % 3); }

bool IsPrime(size_t n) {
  for (size_t d = 2; d * d <= n; ++d) {
    if (n % d == 0) return false;
  }
  return n >= 2;
}

size_t AnyPrime(Random& random) {
  size_t n = Uniform(random, 100, kMostHiddenElements);
  while (!IsPrime(n)) ++n;
  return n;
}

// Sizes at which off-by-one mistakes live, of random element type and operation.
void AddHiddenSizes(Random& random, std::vector<Problem>& problems) {
  auto add = [&](size_t n) { problems.push_back({n, AnyVariant(random), Values::kRandom}); };
  for (int i = 0; i < 4; ++i) add((size_t{1} << Uniform(random, 5, 16)) + Uniform(random, 0, 2) - 1);
  for (int i = 0; i < 4; ++i) add(256 * Uniform(random, 2, 200) + (i % 2 == 0 ? 1 : -1));
  for (int i = 0; i < 2; ++i) add(AnyPrime(random));
  for (int i = 0; i < 2; ++i) add(Uniform(random, 1, kMostHiddenElements));
}

// Values chosen against particular mistakes, at random sizes.
void AddHiddenValues(Random& random, std::vector<Problem>& problems) {
  auto add = [&](Operation operation, Values values) {
    problems.push_back({Uniform(random, 700, 20'000), {AnyElement(random), operation}, values});
  };
  for (const Values values : {Values::kEqual, Values::kStairs, Values::kAlternating, Values::kPeakInside}) {
    add(Operation::kSum, values);
  }
  for (const Values values : {Values::kNegative, Values::kEqual, Values::kStairs, Values::kPeakFirst, Values::kPeakLast,
                              Values::kPeakInside}) {
    add(Operation::kMax, values);
  }
  for (const Element element : {Element::kFloat, Element::kDouble}) {
    problems.push_back({AnyPrime(random), {element, Operation::kSum}, Values::kFractions});
  }
}

// d_in off its 16-byte boundary, with fences whose values ruin the answer when they are read. Also tiny ones, where
// head, body and tail of a vectorised loop meet.
void AddHiddenOffsets(Random& random, std::vector<Problem>& problems) {
  for (size_t front = 1; front <= 3; ++front) {
    problems.push_back(
        {Uniform(random, 1000, 20'000), AnyVariant(random), Values::kRandom, front, Uniform(random, 1, 8)});
    problems.push_back({Uniform(random, 1, 9), AnyVariant(random), Values::kRandom, front, 4});
  }
}

}  // namespace

std::vector<Problem> HiddenCases(std::string_view /*rung*/, Random& random) {
  std::vector<Problem> problems;
  AddHiddenSizes(random, problems);
  AddHiddenValues(random, problems);
  AddHiddenOffsets(random, problems);
  return problems;
}

}  // namespace lab1
