// The correctness tests of one rung of lab3: `ctest` runs this program as lab3.<rung>.correctness. Linked with one
// rung's object and labs/support/rung_tests.cc, which says what the exit code means.
#include <gtest/gtest.h>

#include <ostream>
#include <string>
#include <vector>

#include "labs/lab3/cases.h"
#include "labs/lab3/explain.h"
#include "labs/lab3/hints.h"
#include "labs/lab3/lab3.h"
#include "labs/lab3/values.h"
#include "labs/support/rung_tests.h"
#include "labs/support/test_arrays.h"

namespace lab3 {

// What GoogleTest prints of a failed test's parameter.
static void PrintTo(const Problem& p, std::ostream* out) { *out << Name(p); }

}  // namespace lab3

namespace {

using lab3::Problem;

constexpr uint64_t kSeed = 20240229;  // the same matrices in every run, so that a failure can be repeated

class MatmulTest : public lab::RungTestOver<Problem> {
 protected:
  // Calls the student's function and waits. False when the test is over: skipped, or failed with a message.
  bool Run(const Problem& p, const void* d_a, const void* d_b, void* d_c) {
    return RunAndWait(Name(p), [&] { lab3::CallRung(d_a, d_b, static_cast<float*>(d_c), p.m, p.k, p.n, stream_); });
  }
};

std::vector<std::byte> Drawn(void (*draw)(const Problem&, uint64_t, void*), const Problem& p, size_t bytes,
                             uint64_t seed) {
  std::vector<std::byte> matrix(bytes);
  draw(p, seed, matrix.data());
  return matrix;
}
std::vector<std::byte> A(const Problem& p, uint64_t seed = kSeed) { return Drawn(lab3::DrawA, p, p.BytesOfA(), seed); }
std::vector<std::byte> B(const Problem& p, uint64_t seed = kSeed + 1) {
  return Drawn(lab3::DrawB, p, p.BytesOfB(), seed);
}

void ExpectProduct(const Problem& p, const lab::InputArray& a, const lab::InputArray& b, const lab::GuardedArray& d_c) {
  const std::vector<float> c = d_c.Read<float>();
  if (const auto wrong = lab3::Explain(p, a.host(), b.host(), c.data())) {
    FAIL() << lab::InFull(*wrong);
  }
}

TEST_P(MatmulTest, EveryElementIsRight) {
  const Problem& p = GetParam();
  const lab::InputArray a(A(p)), b(B(p));
  const lab::GuardedArray d_c(p.BytesOfC(), "d_c");
  if (!Run(p, a.data(), b.data(), d_c.data())) return;
  ExpectProduct(p, a, b, d_c);
  EXPECT_TRUE(a.IsUntouched()) << Name(p) << ": d_a was written to";
  EXPECT_TRUE(b.IsUntouched()) << Name(p) << ": d_b was written to";
}

std::string TestName(const testing::TestParamInfo<Problem>& info) {
  const Problem& p = info.param;
  std::string name = std::to_string(p.m) + "x" + std::to_string(p.k) + "x" + std::to_string(p.n);
  if (p.pattern != lab3::kExact) name += std::string("_") + lab3::Name(p.pattern);
  return name;
}

// Evaluated by InitGoogleTest, when main has found out which rung this is.
INSTANTIATE_TEST_SUITE_P(Sizes, MatmulTest, testing::ValuesIn(lab3::PublicCases(lab::Rung())), TestName);

// Catches what one call cannot show: state kept from one call to the next, and sums that start at what C holds.
class RepeatedMatmulTest : public MatmulTest {};

TEST_P(RepeatedMatmulTest, ASecondProductIntoTheSameMatrixReplacesTheFirst) {
  const Problem& p = GetParam();
  const lab::InputArray a(A(p)), b(B(p)), other_a(A(p, kSeed + 2));
  const lab::GuardedArray d_c(p.BytesOfC(), "d_c");
  if (!Run(p, other_a.data(), b.data(), d_c.data())) return;
  if (!Run(p, a.data(), b.data(), d_c.data())) return;
  ExpectProduct(p, a, b, d_c);
}

INSTANTIATE_TEST_SUITE_P(Sizes, RepeatedMatmulTest,
                         testing::Values(Problem{.m = 100, .k = 37, .n = 70, .variant = lab3::RungVariant()},
                                         Problem{.m = 12, .k = 200, .n = 36, .variant = lab3::RungVariant()}),
                         TestName);

std::string Mistake(const std::string& rung) {
  if (lab3::RungVariant() == lab3::VariantOf(rung)) return "";
  return "v1 to v6 end with LAB3_RUNG();, v7 with LAB3_HALF_RUNG();";
}

}  // namespace

int main(int argc, char** argv) {
  return lab::RunRungTests({.lab = "lab3", .hint = lab3::Hint, .mistake = Mistake}, argc, argv);
}
