// The correctness tests of one rung of lab2: `ctest` runs this program as lab2.<rung>.correctness. Linked with one
// rung's object. Exit code: 0 all right, 1 something is wrong, 77 not written yet (ctest calls that "skipped").
//
// On the emulator a rung also fails when its kernels were seen doing something wrong (a race, an access out of bounds),
// even if the values came out right this time.
#include <cuda_runtime_api.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdio>
#include <optional>
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
#include "labs/support/emulator_findings.h"

namespace lab2 {

// What GoogleTest prints of a failed test's parameter.
static void PrintTo(const MatrixCase& c, std::ostream* out) { *out << Name(c); }

}  // namespace lab2

namespace {

using lab2::MatrixCase;

constexpr char kNotWritten[] = "not written yet";
constexpr uint64_t kSeed = 20240229;  // the same matrices in every run, so that a failure can be repeated

// Set up by main().
std::string device_name;
std::string rung;  // "v3_padded"; "" when the program's name does not say
std::optional<lab::EmulatorFindings> emulator_findings;
std::string device_lost_in;  // the test after which the device refused to go on

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

std::string WithHint(const std::string& message) {
  const std::string hint = lab2::Hint(rung, "correctness");
  return hint.empty() ? message : message + "\nhint: " + hint;
}

class TransposeTest : public testing::TestWithParam<MatrixCase> {
 protected:
  void SetUp() override {
    if (!device_lost_in.empty()) GTEST_SKIP() << "not run: the device went down in " << device_lost_in;
    lab::Require(cudaStreamCreate(&stream_), "cudaStreamCreate");
  }
  void TearDown() override {
    if (stream_ != nullptr) cudaStreamDestroy(stream_);
    if (emulator_findings && emulator_findings->CountNew() > 0 && !HasFailure()) {
      ADD_FAILURE() << WithHint(Name(GetParam()) +
                                ": the values are right this time, but the emulator saw the kernel do "
                                "something wrong; see its report above.");
    }
  }

  // Calls the student's function and waits. False when the test is over: skipped, or failed with a message.
  bool Run(const MatrixCase& c, const void* d_in, void* d_out) {
    try {
      CallTranspose(c, d_in, d_out, stream_);
    } catch (const lab::NotWrittenYet&) {
      [] { GTEST_SKIP() << kNotWritten; }();
      return false;
    }
    const cudaError_t at_launch = cudaGetLastError();
    const cudaError_t at_end = cudaStreamSynchronize(stream_);
    if (at_end != cudaSuccess) {  // also when the emulator, which runs a kernel at its launch, said so there already
      device_lost_in = Name(c);
      ADD_FAILURE() << WithHint(Name(c) + ": the kernel stopped: " + cudaGetErrorString(at_end));
      return false;
    }
    if (at_launch != cudaSuccess) {
      ADD_FAILURE() << Name(c) << ": the launch was refused: " << cudaGetErrorString(at_launch)
                    << ". A grid has no dimension of 0 and at most " << lab2::kMaxGridY
                    << " blocks along y and z; a block has at most 1024 threads.";
      return false;
    }
    return true;
  }

  cudaStream_t stream_ = nullptr;
};

// The output with room around it that must stay untouched. On the emulator there is none: it sees every byte that is
// written outside an allocation, and names the line.
class GuardedOutput {
 public:
  explicit GuardedOutput(size_t bytes)
      : bytes_(bytes), guard_(lab::IsEmulator(device_name) ? 0 : 4096), array_(bytes + 2 * guard_) {
    if (TotalBytes() > 0) {
      lab::Require(cudaMemset(array_.data(), lab2::kPoisonByte, TotalBytes()), "cudaMemset");
    }
  }

  void* data() const { return TotalBytes() == 0 ? nullptr : array_.bytes() + guard_; }

  std::vector<std::byte> Read() const {
    std::vector<std::byte> all(TotalBytes());
    if (!all.empty()) {
      lab::Require(cudaMemcpy(all.data(), array_.data(), all.size(), cudaMemcpyDeviceToHost), "cudaMemcpy");
    }
    const auto untouched = [](std::byte b) { return b == std::byte{lab2::kPoisonByte}; };
    const auto begin = all.begin() + static_cast<ptrdiff_t>(guard_);
    const auto end = begin + static_cast<ptrdiff_t>(bytes_);
    EXPECT_TRUE(std::all_of(all.begin(), begin, untouched)) << "something was written before the start of d_out";
    EXPECT_TRUE(std::all_of(end, all.end(), untouched)) << "something was written past the end of d_out";
    return {begin, end};
  }

 private:
  size_t TotalBytes() const { return bytes_ + 2 * guard_; }
  size_t bytes_, guard_;
  lab::DeviceArray array_;
};

std::vector<std::byte> DrawInput(const MatrixCase& c) {
  std::vector<std::byte> in(c.shape().Bytes());
  DrawMatrix(c.shape(), c.variant, c.pattern, kSeed, in.data());
  return in;
}

TEST_P(TransposeTest, EveryElementArrives) {
  const MatrixCase& c = GetParam();
  const std::vector<std::byte> in = DrawInput(c);
  const lab::DeviceArray d_in(in.size());
  lab::Require(cudaMemcpy(d_in.data(), in.data(), in.size(), cudaMemcpyHostToDevice), "cudaMemcpy");
  const GuardedOutput d_out(in.size());

  if (!Run(c, d_in.data(), d_out.data())) return;

  const std::vector<std::byte> out = d_out.Read();
  if (const auto wrong = lab2::Explain(c.shape(), c.variant, in.data(), out.data())) {
    FAIL() << WithHint(wrong->message) << "\nindex: " << wrong->index << "\ngot:   " << wrong->got
           << "\nwant:  " << wrong->want;
  }
  std::vector<std::byte> in_after(in.size());
  lab::Require(cudaMemcpy(in_after.data(), d_in.data(), in.size(), cudaMemcpyDeviceToHost), "cudaMemcpy");
  EXPECT_TRUE(in_after == in) << Name(c) << ": d_in was written to";
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
  EXPECT_TRUE(out == in) << WithHint(Name(c) + " there and back again is not the matrix that it was.");
}

INSTANTIATE_TEST_SUITE_P(Sizes, RepeatedTransposeTest,
                         testing::Values(MatrixCase{.rows = 100, .columns = 37, .variant = lab2::kFloat},
                                         MatrixCase{.rows = 12, .columns = 200, .variant = lab2::kDouble}),
                         TestName);

bool SaidNotWritten(const testing::TestInfo& test) {
  const testing::TestResult& result = *test.result();
  for (int part = 0; part < result.total_part_count(); ++part) {
    const testing::TestPartResult& p = result.GetTestPartResult(part);
    if (p.skipped() && std::string(p.message()).find(kNotWritten) != std::string::npos) return true;
  }
  return false;
}

// True when there were tests and each of them said so.
bool NothingIsWritten() {
  const testing::UnitTest& all = *testing::UnitTest::GetInstance();
  int said = 0;
  for (int suite = 0; suite < all.total_test_suite_count(); ++suite) {
    for (int i = 0; i < all.GetTestSuite(suite)->total_test_count(); ++i) {
      const testing::TestInfo& test = *all.GetTestSuite(suite)->GetTestInfo(i);
      if (!test.should_run()) continue;
      if (!SaidNotWritten(test)) return false;
      ++said;
    }
  }
  return said > 0;
}

}  // namespace

int main(int argc, char** argv) {
  testing::InitGoogleTest(&argc, argv);
  rung = lab2::RungOfProgram(argv[0]);
  if (testing::GTEST_FLAG(list_tests)) return RUN_ALL_TESTS();

  emulator_findings.emplace();  // before the first CUDA call, which starts the emulator
  device_name = lab::DeviceName();
  if (device_name.empty()) {
    std::fprintf(stderr,
                 "lab2: there is no CUDA device here. To run on the emulator, put the folder of its libcudart.so.13 "
                 "first in LD_LIBRARY_PATH (build/lib/emulator).\n");
    return 1;
  }
  std::printf("lab2 %s on: %s\n", rung.c_str(), device_name.c_str());

  const int failed = RUN_ALL_TESTS();
  if (failed != 0) return 1;
  if (NothingIsWritten()) {
    std::printf("lab2 %s: %s\n", rung.c_str(), kNotWritten);
    return 77;
  }
  return 0;
}
