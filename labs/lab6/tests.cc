// The correctness tests of one rung of lab6: `ctest` runs this program as lab6.<rung>.correctness. Linked with one
// rung's object. Exit code: 0 all right, 1 something is wrong, 77 not written yet (ctest calls that "skipped").
//
// On the emulator a rung also fails when its kernels were seen doing something wrong (a race, an access out of bounds),
// even if the values came out right this time.
#include <cuda_runtime_api.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdio>
#include <cstring>
#include <optional>
#include <ostream>
#include <string>
#include <utility>
#include <vector>

#include "labs/lab6/cases.h"
#include "labs/lab6/explain.h"
#include "labs/lab6/hints.h"
#include "labs/lab6/lab6.h"
#include "labs/lab6/values.h"
#include "labs/support/device_array.h"
#include "labs/support/emulator_findings.h"

namespace lab6 {

// What GoogleTest prints of a failed test's parameter.
static void PrintTo(const Problem& p, std::ostream* out) { *out << Name(p); }

}  // namespace lab6

namespace {

using lab6::Problem;

constexpr char kNotWritten[] = "not written yet";
constexpr uint64_t kSeed = 20240229;  // the same fields in every run, so that a failure can be repeated

// Set up by main().
std::string device_name;
std::string rung;  // "v3_rolling"; "" when the program's name does not say
std::optional<lab::EmulatorFindings> emulator_findings;
std::string device_lost_in;  // the test after which the device refused to go on

std::string WithHint(const std::string& message) {
  const std::string hint = lab6::Hint(rung, "correctness");
  return hint.empty() ? message : message + "\nhint: " + hint;
}

class StencilTest : public testing::TestWithParam<Problem> {
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
  bool Run(const Problem& p, const void* d_in, void* d_out, void* d_work) {
    try {
      lab6::CallRung(static_cast<const float*>(d_in), static_cast<float*>(d_out), static_cast<float*>(d_work), p.rows,
                     p.columns, p.points, p.MakeWeights(), p.steps, stream_);
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
      ADD_FAILURE()
          << Name(p) << ": the launch was refused: " << cudaGetErrorString(at_launch)
          << ". A grid has no dimension of 0 and at most 65535 blocks along y and z; a block has at most 1024 "
             "threads.";
      return false;
    }
    return true;
  }

  cudaStream_t stream_ = nullptr;
};

// A field on the host and on the device.
struct Input {
  explicit Input(const Problem& p, uint64_t seed = kSeed) : host(p.Elements()), device(p.Bytes()) {
    Draw(p, seed, host.data());
    lab::Require(cudaMemcpy(device.data(), host.data(), p.Bytes(), cudaMemcpyHostToDevice), "cudaMemcpy");
  }
  bool IsUntouched() const {
    std::vector<float> after(host.size());
    const size_t bytes = after.size() * sizeof(float);
    lab::Require(cudaMemcpy(after.data(), device.data(), bytes, cudaMemcpyDeviceToHost), "cudaMemcpy");
    return bytes == 0 || std::memcmp(after.data(), host.data(), bytes) == 0;  // bits: a NaN is no excuse
  }

  std::vector<float> host;
  lab::DeviceArray device;
};

// A field with room around it that must stay untouched. On the emulator there is none: it sees every byte that is
// written outside an allocation, and names the line.
class GuardedField {
 public:
  explicit GuardedField(size_t elements)
      : elements_(elements),
        guard_(lab::IsEmulator(device_name) ? 0 : 1024),
        array_((elements + 2 * guard_) * sizeof(float)) {
    if (Total() > 0) {
      lab::Require(cudaMemset(array_.data(), lab6::kPoisonByte, Total() * sizeof(float)), "cudaMemset");
    }
  }

  void* data() const { return Total() == 0 ? nullptr : array_.bytes() + guard_ * sizeof(float); }

  std::vector<float> Read() const {
    std::vector<float> all(Total());
    if (!all.empty()) {
      lab::Require(cudaMemcpy(all.data(), array_.data(), all.size() * sizeof(float), cudaMemcpyDeviceToHost),
                   "cudaMemcpy");
    }
    EXPECT_TRUE(IsUntouched(all.data(), guard_)) << "something was written before the start of d_out or d_work";
    EXPECT_TRUE(IsUntouched(all.data() + guard_ + elements_, guard_))
        << "something was written past the end of d_out or d_work";
    const auto begin = all.begin() + static_cast<ptrdiff_t>(guard_);
    return {begin, begin + static_cast<ptrdiff_t>(elements_)};
  }

 private:
  size_t Total() const { return elements_ + 2 * guard_; }
  static bool IsUntouched(const float* from, size_t elements) {
    const auto* const bytes = reinterpret_cast<const unsigned char*>(from);
    return std::all_of(bytes, bytes + elements * sizeof(float), [](unsigned char b) { return b == lab6::kPoisonByte; });
  }

  size_t elements_, guard_;
  lab::DeviceArray array_;
};

void ExpectField(const Problem& p, const Input& in, const GuardedField& d_out) {
  const std::vector<float> out = d_out.Read();
  if (const auto wrong = lab6::Explain(p, in.host.data(), out.data())) {
    FAIL() << WithHint(wrong->message) << "\nindex: " << wrong->index << "\ngot:   " << wrong->got
           << "\nwant:  " << wrong->want;
  }
}

TEST_P(StencilTest, EveryElementIsRight) {
  const Problem& p = GetParam();
  const Input in(p);
  const GuardedField d_out(p.Elements()), d_work(p.Elements());
  if (!Run(p, in.device.data(), d_out.data(), d_work.data())) return;
  ExpectField(p, in, d_out);
  d_work.Read();
  EXPECT_TRUE(in.IsUntouched()) << Name(p) << ": d_in was written to";
}

std::string TestName(const testing::TestParamInfo<Problem>& info) {
  const Problem& p = info.param;
  std::string name = std::to_string(p.rows) + "x" + std::to_string(p.columns) + "_" + std::to_string(p.points) +
                     "_points_" + std::to_string(p.steps) + "_steps";
  if (p.pattern != lab6::kExact) name += std::string("_") + lab6::Name(p.pattern);
  return name;
}

// Evaluated by InitGoogleTest, when main has found out which rung this is.
INSTANTIATE_TEST_SUITE_P(Sizes, StencilTest, testing::ValuesIn(lab6::PublicCases(rung)), TestName);

// Catches what one call cannot show: state kept from one call to the next, and what an earlier call left in d_work.
class RepeatedStencilTest : public StencilTest {};

TEST_P(RepeatedStencilTest, ASecondFieldReplacesTheFirst) {
  const Problem& p = GetParam();
  const Input in(p), other(p, kSeed + 1);
  const GuardedField d_out(p.Elements()), d_work(p.Elements());
  if (!Run(p, other.device.data(), d_out.data(), d_work.data())) return;
  if (!Run(p, in.device.data(), d_out.data(), d_work.data())) return;
  ExpectField(p, in, d_out);
}

INSTANTIATE_TEST_SUITE_P(Sizes, RepeatedStencilTest,
                         testing::Values(Problem{.rows = 67, .columns = 130, .steps = 2, .points = lab6::kNine},
                                         Problem{.rows = 67, .columns = 132, .steps = 5, .points = lab6::kFive}),
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
  rung = lab6::RungOfProgram(argv[0]);
  testing::InitGoogleTest(&argc, argv);
  if (testing::GTEST_FLAG(list_tests)) return RUN_ALL_TESTS();

  emulator_findings.emplace();  // before the first CUDA call, which starts the emulator
  device_name = lab::DeviceName();
  if (device_name.empty()) {
    std::fprintf(stderr,
                 "lab6: there is no CUDA device here. To run on the emulator, put the folder of its libcudart.so.13 "
                 "first in LD_LIBRARY_PATH (build/lib/emulator).\n");
    return 1;
  }
  std::printf("lab6 %s on: %s\n", rung.c_str(), device_name.c_str());

  const int failed = RUN_ALL_TESTS();
  if (failed != 0) return 1;
  if (NothingIsWritten()) {
    std::printf("lab6 %s: %s\n", rung.c_str(), kNotWritten);
    return 77;
  }
  return 0;
}
