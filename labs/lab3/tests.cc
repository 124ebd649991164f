// The correctness tests of one rung of lab3: `ctest` runs this program as lab3.<rung>.correctness. Linked with one
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
#include <utility>
#include <vector>

#include "labs/lab3/cases.h"
#include "labs/lab3/explain.h"
#include "labs/lab3/hints.h"
#include "labs/lab3/lab3.h"
#include "labs/lab3/values.h"
#include "labs/support/device_array.h"
#include "labs/support/emulator_findings.h"

namespace lab3 {

// What GoogleTest prints of a failed test's parameter.
static void PrintTo(const Problem& p, std::ostream* out) { *out << Name(p); }

}  // namespace lab3

namespace {

using lab3::Problem;

constexpr char kNotWritten[] = "not written yet";
constexpr uint64_t kSeed = 20240229;  // the same matrices in every run, so that a failure can be repeated

// Set up by main().
std::string device_name;
std::string rung;  // "v3_tiled"; "" when the program's name does not say
std::optional<lab::EmulatorFindings> emulator_findings;
std::string device_lost_in;  // the test after which the device refused to go on

std::string WithHint(const std::string& message) {
  const std::string hint = lab3::Hint(rung, "correctness");
  return hint.empty() ? message : message + "\nhint: " + hint;
}

class MatmulTest : public testing::TestWithParam<Problem> {
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
  bool Run(const Problem& p, const void* d_a, const void* d_b, void* d_c) {
    try {
      lab3::CallRung(d_a, d_b, static_cast<float*>(d_c), p.m, p.k, p.n, stream_);
    } catch (const lab::NotWrittenYet&) {
      [] { GTEST_SKIP() << kNotWritten; }();
      return false;
    }
    const cudaError_t at_launch = cudaGetLastError();
    const cudaError_t at_end = cudaStreamSynchronize(stream_);
    if (at_end != cudaSuccess) {  // also when the emulator, which runs a kernel at its launch, said so there already
      device_lost_in = Name(p);
      ADD_FAILURE() << WithHint(Name(p) + ": the kernel stopped: " + cudaGetErrorString(at_end));
      return false;
    }
    if (at_launch != cudaSuccess) {
      ADD_FAILURE() << Name(p) << ": the launch was refused: " << cudaGetErrorString(at_launch)
                    << ". A grid has no dimension of 0 and at most " << lab3::kMaxGridY
                    << " blocks along y and z; a block has at most 1024 threads.";
      return false;
    }
    return true;
  }

  cudaStream_t stream_ = nullptr;
};

// A matrix on the host and on the device.
struct Input {
  explicit Input(std::vector<std::byte> content) : host(std::move(content)), device(host.size()) {
    lab::Require(cudaMemcpy(device.data(), host.data(), host.size(), cudaMemcpyHostToDevice), "cudaMemcpy");
  }
  bool IsUntouched() const {
    std::vector<std::byte> after(host.size());
    lab::Require(cudaMemcpy(after.data(), device.data(), after.size(), cudaMemcpyDeviceToHost), "cudaMemcpy");
    return after == host;
  }

  std::vector<std::byte> host;
  lab::DeviceArray device;
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

// C with room around it that must stay untouched. On the emulator there is none: it sees every byte that is written
// outside an allocation, and names the line.
class GuardedOutput {
 public:
  explicit GuardedOutput(size_t elements)
      : elements_(elements),
        guard_(lab::IsEmulator(device_name) ? 0 : 1024),
        array_((elements + 2 * guard_) * sizeof(float)) {
    if (Total() > 0) {
      lab::Require(cudaMemset(array_.data(), lab3::kPoisonByte, Total() * sizeof(float)), "cudaMemset");
    }
  }

  void* data() const { return Total() == 0 ? nullptr : array_.bytes() + guard_ * sizeof(float); }

  std::vector<float> Read() const {
    std::vector<float> all(Total());
    if (!all.empty()) {
      lab::Require(cudaMemcpy(all.data(), array_.data(), all.size() * sizeof(float), cudaMemcpyDeviceToHost),
                   "cudaMemcpy");
    }
    EXPECT_TRUE(IsUntouched(all.data(), guard_)) << "something was written before the start of d_c";
    EXPECT_TRUE(IsUntouched(all.data() + guard_ + elements_, guard_)) << "something was written past the end of d_c";
    const auto begin = all.begin() + static_cast<ptrdiff_t>(guard_);
    return {begin, begin + static_cast<ptrdiff_t>(elements_)};
  }

 private:
  size_t Total() const { return elements_ + 2 * guard_; }
  static bool IsUntouched(const float* from, size_t elements) {
    const auto* const bytes = reinterpret_cast<const unsigned char*>(from);
    return std::all_of(bytes, bytes + elements * sizeof(float), [](unsigned char b) { return b == lab3::kPoisonByte; });
  }

  size_t elements_, guard_;
  lab::DeviceArray array_;
};

void ExpectProduct(const Problem& p, const Input& a, const Input& b, const GuardedOutput& d_c) {
  const std::vector<float> c = d_c.Read();
  if (const auto wrong = lab3::Explain(p, a.host.data(), b.host.data(), c.data())) {
    FAIL() << WithHint(wrong->message) << "\nindex: " << wrong->index << "\ngot:   " << wrong->got
           << "\nwant:  " << wrong->want;
  }
}

TEST_P(MatmulTest, EveryElementIsRight) {
  const Problem& p = GetParam();
  const Input a(A(p)), b(B(p));
  const GuardedOutput d_c(p.m * p.n);
  if (!Run(p, a.device.data(), b.device.data(), d_c.data())) return;
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
INSTANTIATE_TEST_SUITE_P(Sizes, MatmulTest, testing::ValuesIn(lab3::PublicCases(rung)), TestName);

// Catches what one call cannot show: state kept from one call to the next, and sums that start at what C holds.
class RepeatedMatmulTest : public MatmulTest {};

TEST_P(RepeatedMatmulTest, ASecondProductIntoTheSameMatrixReplacesTheFirst) {
  const Problem& p = GetParam();
  const Input a(A(p)), b(B(p)), other_a(A(p, kSeed + 2));
  const GuardedOutput d_c(p.m * p.n);
  if (!Run(p, other_a.device.data(), b.device.data(), d_c.data())) return;
  if (!Run(p, a.device.data(), b.device.data(), d_c.data())) return;
  ExpectProduct(p, a, b, d_c);
}

INSTANTIATE_TEST_SUITE_P(Sizes, RepeatedMatmulTest,
                         testing::Values(Problem{.m = 100, .k = 37, .n = 70, .variant = lab3::RungVariant()},
                                         Problem{.m = 12, .k = 200, .n = 36, .variant = lab3::RungVariant()}),
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
  rung = lab3::RungOfProgram(argv[0]);
  testing::InitGoogleTest(&argc, argv);
  if (testing::GTEST_FLAG(list_tests)) return RUN_ALL_TESTS();

  if (!rung.empty() && lab3::RungVariant() != lab3::VariantOf(rung)) {
    std::fprintf(stderr, "lab3 %s: v1 to v6 end with LAB3_RUNG();, v7 with LAB3_HALF_RUNG();\n", rung.c_str());
    return 1;
  }
  emulator_findings.emplace();  // before the first CUDA call, which starts the emulator
  device_name = lab::DeviceName();
  if (device_name.empty()) {
    std::fprintf(stderr,
                 "lab3: there is no CUDA device here. To run on the emulator, put the folder of its libcudart.so.13 "
                 "first in LD_LIBRARY_PATH (build/lib/emulator).\n");
    return 1;
  }
  std::printf("lab3 %s on: %s\n", rung.c_str(), device_name.c_str());

  const int failed = RUN_ALL_TESTS();
  if (failed != 0) return 1;
  if (NothingIsWritten()) {
    std::printf("lab3 %s: %s\n", rung.c_str(), kNotWritten);
    return 77;
  }
  return 0;
}
