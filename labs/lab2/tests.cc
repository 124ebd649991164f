// The correctness tests of one rung of lab2: `ctest` runs this program as lab2.<rung>.correctness. Linked with one
// rung's object and labs/support/rung_tests.cc, which says what the exit code means.
#include <cuda_runtime_api.h>
#include <gtest/gtest.h>

#include <ostream>
#include <string>
#include <vector>

#include "labs/lab2/cases.h"
#include "labs/lab2/explain.h"
#include "labs/lab2/hints.h"
#include "labs/lab2/lab2.h"
#include "labs/lab2/reference.h"
#include "labs/lab2/values.h"
#include "labs/support/device_array.h"
#include "labs/support/rung_tests.h"
#include "labs/support/test_arrays.h"

namespace lab2 {

// What GoogleTest prints of a failed test's parameter.
static void PrintTo(const MatrixCase& c, std::ostream* out) { *out << Name(c); }

}  // namespace lab2

namespace {

using lab2::MatrixCase;

constexpr uint64_t kSeed = 20240229;  // the same matrices in every run, so that a failure can be repeated

void CallTranspose(const MatrixCase& c, const void* d_in, void* d_out, cudaStream_t stream) {
  switch (c.variant) {
    case lab2::kDouble:
      return transpose(static_cast<const double*>(d_in), static_cast<double*>(d_out), c.rows, c.columns, stream);
    case lab2::kInt:
      return transpose(static_cast<const int*>(d_in), static_cast<int*>(d_out), c.rows, c.columns, stream);
    default:
      return transpose(static_cast<const float*>(d_in), static_cast<float*>(d_out), c.rows, c.columns, stream);
  }
}

class TransposeTest : public lab::RungTestOver<MatrixCase> {
 protected:
  // Calls the student's function and waits. False when the test is over: skipped, or failed with a message.
  bool Run(const MatrixCase& c, const void* d_in, void* d_out) {
    return RunAndWait(Name(c), [&] { CallTranspose(c, d_in, d_out, stream_); });
  }
};

std::vector<std::byte> DrawInput(const MatrixCase& c) {
  std::vector<std::byte> in(c.shape().Bytes());
  DrawMatrix(c.shape(), c.variant, c.pattern, kSeed, in.data());
  return in;
}

TEST_P(TransposeTest, EveryElementArrives) {
  const MatrixCase& c = GetParam();
  const lab::InputArray in(DrawInput(c));
  const lab::GuardedArray d_out(c.shape().Bytes(), "d_out");

  if (!Run(c, in.data(), d_out.data())) return;

  const std::vector<std::byte> out = d_out.Read();
  if (const auto wrong = lab2::Explain(c.shape(), c.variant, in.host(), out.data())) {
    FAIL() << lab::InFull(*wrong);
  }
  EXPECT_TRUE(in.IsUntouched()) << Name(c) << ": d_in was written to";
}

std::string TestName(const testing::TestParamInfo<MatrixCase>& info) {
  const MatrixCase& c = info.param;
  std::string name = std::to_string(c.rows) + "x" + std::to_string(c.columns) + "_" + lab2::Name(c.variant);
  if (c.pattern != lab2::kOrdinary) name += std::string("_") + lab2::Name(c.pattern);
  return name;
}

INSTANTIATE_TEST_SUITE_P(Sizes, TransposeTest, testing::ValuesIn(lab2::PublicCases()), TestName);

// Catches what one call cannot show: state kept from one call to the next.
class RepeatedTransposeTest : public TransposeTest {};

TEST_P(RepeatedTransposeTest, TransposingBackGivesTheInput) {
  const MatrixCase& c = GetParam();
  const MatrixCase back = {.rows = c.columns, .columns = c.rows, .variant = c.variant, .pattern = c.pattern};
  const std::vector<std::byte> in = DrawInput(c);
  const lab::DeviceArray d_in(in.size()), d_turned(in.size()), d_back(in.size());
  lab::Require(cudaMemcpy(d_in.data(), in.data(), in.size(), cudaMemcpyHostToDevice), "cudaMemcpy");

  if (!Run(c, d_in.data(), d_turned.data())) return;
  if (!Run(back, d_turned.data(), d_back.data())) return;

  std::vector<std::byte> out(in.size());
  lab::Require(cudaMemcpy(out.data(), d_back.data(), out.size(), cudaMemcpyDeviceToHost), "cudaMemcpy");
  EXPECT_TRUE(out == in) << lab::WithHint(Name(c) + " there and back again is not the matrix that it was.");
}

INSTANTIATE_TEST_SUITE_P(Sizes, RepeatedTransposeTest,
                         testing::Values(MatrixCase{.rows = 100, .columns = 37, .variant = lab2::kFloat},
                                         MatrixCase{.rows = 12, .columns = 200, .variant = lab2::kDouble}),
                         TestName);

}  // namespace

int main(int argc, char** argv) { return lab::RunRungTests({.lab = "lab2", .hint = lab2::Hint}, argc, argv); }
