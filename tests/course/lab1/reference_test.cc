#include "labs/lab1/reference.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <numeric>
#include <vector>

namespace lab1 {
namespace {

template <typename T>
Expected ReduceVector(Operation operation, const std::vector<T>& values) {
  return Reduce(operation, std::span<const T>(values));
}

TEST(ReferenceTest, GivesTheNeutralElementForNoElements) {
  EXPECT_EQ(ReduceVector<float>(Operation::kSum, {}).value, 0);
  EXPECT_EQ(ReduceVector<float>(Operation::kMax, {}).value, -std::numeric_limits<double>::infinity());
  EXPECT_EQ(ReduceVector<double>(Operation::kMax, {}).value, -std::numeric_limits<double>::infinity());
  EXPECT_EQ(ReduceVector<int32_t>(Operation::kMax, {}).value, std::numeric_limits<int32_t>::min());
}

TEST(ReferenceTest, SumsEveryElementOnceAtAnyLength) {
  for (const size_t n : {1u, 7u, 8u, 9u, 65535u, 65536u, 65537u, 200003u}) {
    std::vector<int32_t> values(n);
    std::iota(values.begin(), values.end(), 1);
    const auto expected = ReduceVector(Operation::kSum, values);
    EXPECT_EQ(expected.value, static_cast<double>(n) * static_cast<double>(n + 1) / 2) << n;
    EXPECT_EQ(expected.magnitude, expected.value) << n;
  }
}

TEST(ReferenceTest, KeepsWhatPlainDoublesWouldLose) {
  // 1 is half a unit in the last place of 2^53, so that 2^53 + 1 is rounded back to 2^53, every time.
  std::vector<double> values(100'001, 1.0);
  values.front() = 0x1p53;
  values.back() = -0x1p53;
  EXPECT_EQ(ReduceVector(Operation::kSum, values).value, 99'999.0);
}

TEST(ReferenceTest, FindsTheMaximumWhereverItIs) {
  for (const size_t at : {size_t{0}, size_t{1}, size_t{65535}, size_t{65536}, size_t{99'999}}) {
    std::vector<float> values(100'000, -3.0f);
    values[at] = -2.0f;
    EXPECT_EQ(ReduceVector(Operation::kMax, values).value, -2.0) << at;
  }
}

TEST(ReferenceTest, MeasuresMagnitudeWithoutSigns) {
  EXPECT_EQ(ReduceVector<double>(Operation::kSum, {1.5, -2.5, 3.0}).magnitude, 7.0);
}

}  // namespace
}  // namespace lab1
