// The correctness tests of one rung of lab9: `ctest` runs this program as lab9.<rung>.correctness. Linked with one
// rung's object and labs/support/rung_tests.cc, which says what the exit code means.
#include <gtest/gtest.h>

#include <ostream>
#include <string>
#include <utility>
#include <vector>

#include "labs/lab9/cases.h"
#include "labs/lab9/explain.h"
#include "labs/lab9/hints.h"
#include "labs/lab9/lab9.h"
#include "labs/lab9/values.h"
#include "labs/support/rung_tests.h"
#include "labs/support/test_arrays.h"

namespace lab9 {

// What GoogleTest prints of a failed test's parameter.
static void PrintTo(const Problem& p, std::ostream* out) { *out << Name(p); }

}  // namespace lab9

namespace {

using lab9::Problem;

constexpr uint64_t kSeed = 20240229;  // the same elements in every run, so that a failure can be repeated

template <typename T, typename Draw>
lab::InputArray Drawn(size_t elements, const Draw& draw) {
  std::vector<std::byte> bytes(elements * sizeof(T));
  draw(reinterpret_cast<T*>(bytes.data()));
  return lab::InputArray(std::move(bytes));
}

// The inputs of one call, on the host and on the device.
struct Arrays {
  explicit Arrays(const Problem& p, uint64_t seed = kSeed)
      : offsets(Drawn<int>(p.rows + 1, [&](int* to) { DrawOffsets(p, seed, to); })),
        columns(Drawn<int>(p.nonzeros, [&](int* to) { DrawColumns(p, seed + 1, to); })),
        values(Drawn<float>(p.nonzeros, [&](float* to) { DrawValues(p, seed + 2, to); })),
        x(Drawn<float>(p.columns, [&](float* to) { DrawX(p, seed + 3, to); })) {}

  lab9::Inputs Host() const {
    return {.offsets = offsets.host<int>(),
            .columns = columns.host<int>(),
            .values = values.host<float>(),
            .x = x.host<float>()};
  }

  lab::InputArray offsets, columns, values, x;
};

class SparseTest : public lab::RungTestOver<Problem> {
 protected:
  // Calls the student's function and waits. False when the test is over: skipped, or failed with a message.
  bool Run(const Problem& p, const Arrays& arrays, const lab::GuardedArray& d_y) {
    return RunAndWait(Name(p), [&] {
      lab9::CallRung({.d_offsets = static_cast<const int*>(arrays.offsets.data()),
                      .d_columns = static_cast<const int*>(arrays.columns.data()),
                      .d_values = static_cast<const float*>(arrays.values.data()),
                      .d_x = static_cast<const float*>(arrays.x.data()),
                      .d_y = static_cast<float*>(d_y.data()),
                      .rows = static_cast<int>(p.rows),
                      .columns = static_cast<int>(p.columns),
                      .nonzeros = static_cast<int>(p.nonzeros)},
                     stream_);
    });
  }
};

void ExpectSums(const Problem& p, const Arrays& arrays, const lab::GuardedArray& d_y) {
  const std::vector<float> y = d_y.Read<float>();
  if (const auto wrong = lab9::Explain(p, arrays.Host(), y.data())) FAIL() << lab::InFull(*wrong);
}

TEST_P(SparseTest, EverySumIsRight) {
  const Problem& p = GetParam();
  const Arrays arrays(p);
  const lab::GuardedArray d_y(p.rows * sizeof(float), "d_y");
  if (!Run(p, arrays, d_y)) return;
  ExpectSums(p, arrays, d_y);
  EXPECT_TRUE(arrays.offsets.IsUntouched()) << Name(p) << ": d_offsets was written to";
  EXPECT_TRUE(arrays.columns.IsUntouched()) << Name(p) << ": d_columns was written to";
  EXPECT_TRUE(arrays.values.IsUntouched()) << Name(p) << ": d_values was written to";
  EXPECT_TRUE(arrays.x.IsUntouched()) << Name(p) << ": d_x was written to";
}

std::string TestName(const testing::TestParamInfo<Problem>& info) {
  const Problem& p = info.param;
  std::string name = std::to_string(p.rows) + "_x_" + std::to_string(p.columns) + "_" + std::to_string(p.nonzeros) +
                     "_nonzeros_" + lab9::Name(p.lengths) + "_" + lab9::Name(p.values);
  for (char& c : name) c = c == ' ' ? '_' : c;
  return name;
}

INSTANTIATE_TEST_SUITE_P(Sizes, SparseTest, testing::ValuesIn(lab9::PublicCases()), TestName);

// Catches what one call cannot show: state kept from one call to the next, and sums that start at what d_y holds.
class RepeatedSparseTest : public SparseTest {};

TEST_P(RepeatedSparseTest, ASecondProductReplacesTheFirst) {
  const Problem& p = GetParam();
  const Arrays arrays(p), others(p, kSeed + 10);
  const lab::GuardedArray d_y(p.rows * sizeof(float), "d_y");
  if (!Run(p, others, d_y)) return;
  if (!Run(p, arrays, d_y)) return;
  ExpectSums(p, arrays, d_y);
}

INSTANTIATE_TEST_SUITE_P(Sizes, RepeatedSparseTest,
                         testing::Values(Problem{.rows = 500, .columns = 500, .nonzeros = 5000},
                                         Problem{
                                             .rows = 900, .columns = 300, .nonzeros = 9000, .lengths = lab9::kSkewed}),
                         TestName);

}  // namespace

int main(int argc, char** argv) {
  return lab::RunRungTests({.lab = "lab9",
                            .hint = lab9::Hint,
                            .answers = "sums",
                            .launch_limits = "A grid has no dimension of 0; a block has at most 1024 threads, and 48 "
                                             "KB of shared memory unless it asks for more."},
                           argc, argv);
}
