// The correctness tests of one rung of lab7: `ctest` runs this program as lab7.<rung>.correctness. Linked with one
// rung's object. Exit code: 0 all right, 1 something is wrong, 77 not written yet (ctest calls that "skipped").
//
// On the emulator a rung also fails when its kernels were seen doing something wrong (a race, an access out of bounds),
// even if the counts came out right this time.
#include <cuda_runtime_api.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdio>
#include <optional>
#include <ostream>
#include <string>
#include <utility>
#include <vector>

#include "labs/lab7/cases.h"
#include "labs/lab7/explain.h"
#include "labs/lab7/hints.h"
#include "labs/lab7/lab7.h"
#include "labs/lab7/values.h"
#include "labs/support/device_array.h"
#include "labs/support/emulator_findings.h"

namespace lab7 {

// What GoogleTest prints of a failed test's parameter.
static void PrintTo(const Problem& p, std::ostream* out) { *out << Name(p); }

}  // namespace lab7

namespace {

using lab7::Problem;

constexpr char kNotWritten[] = "not written yet";
constexpr uint64_t kSeed = 20240229;  // the same elements in every run, so that a failure can be repeated

// Set up by main().
std::string device_name;
std::string rung;  // "v3_warp"; "" when the program's name does not say
std::optional<lab::EmulatorFindings> emulator_findings;
std::string device_lost_in;  // the test after which the device refused to go on

std::string WithHint(const std::string& message) {
  const std::string hint = lab7::Hint(rung, "correctness");
  return hint.empty() ? message : message + "\nhint: " + hint;
}

class HistogramTest : public testing::TestWithParam<Problem> {
 protected:
  void SetUp() override {
    if (!device_lost_in.empty()) GTEST_SKIP() << "not run: the device went down in " << device_lost_in;
    lab::Require(cudaStreamCreate(&stream_), "cudaStreamCreate");
  }
  void TearDown() override {
    if (stream_ != nullptr) cudaStreamDestroy(stream_);
    if (emulator_findings && emulator_findings->CountNew() > 0 && !HasFailure()) {
      ADD_FAILURE() << WithHint(Name(GetParam()) +
                                ": the counts are right this time, but the emulator saw the kernel do "
                                "something wrong; see its report above.");
    }
  }

  // Calls the student's function and waits. False when the test is over: skipped, or failed with a message.
  bool Run(const Problem& p, const void* d_in, void* d_bins) {
    try {
      lab7::CallRung(p.variant, d_in, p.n, static_cast<unsigned*>(d_bins), p.bins, stream_);
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
                    << ". A grid has no dimension of 0; a block has at most 1024 threads, and 48 KB of shared memory "
                       "unless it asks for more.";
      return false;
    }
    return true;
  }

  cudaStream_t stream_ = nullptr;
};

// The elements, on the host and on the device.
struct Input {
  explicit Input(const Problem& p, uint64_t seed = kSeed) : host(p.BytesOfInput()), device(p.BytesOfInput()) {
    Draw(p, seed, host.data());
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

// The counters with room after them that must stay untouched. On the emulator there is none: it sees every byte that is
// written outside an allocation, and names the line.
class GuardedBins {
 public:
  explicit GuardedBins(int bins)
      : bins_(static_cast<size_t>(bins)),
        guard_(lab::IsEmulator(device_name) ? 0 : 1024),
        array_((bins_ + guard_) * sizeof(unsigned)) {
    lab::Require(cudaMemset(array_.data(), lab7::kPoisonByte, (bins_ + guard_) * sizeof(unsigned)), "cudaMemset");
  }

  void* data() const { return array_.data(); }

  std::vector<unsigned> Read() const {
    std::vector<unsigned> all(bins_ + guard_);
    lab::Require(cudaMemcpy(all.data(), array_.data(), all.size() * sizeof(unsigned), cudaMemcpyDeviceToHost),
                 "cudaMemcpy");
    const auto end = all.begin() + static_cast<ptrdiff_t>(bins_);
    EXPECT_TRUE(std::all_of(end, all.end(), [](unsigned word) { return word == 0x01010101u * lab7::kPoisonByte; }))
        << "something was written past the end of d_bins";
    return {all.begin(), end};
  }

 private:
  size_t bins_, guard_;
  lab::DeviceArray array_;
};

void ExpectCounts(const Problem& p, const Input& in, const GuardedBins& d_bins) {
  const std::vector<unsigned> counts = d_bins.Read();
  if (const auto wrong = lab7::Explain(p, in.host.data(), counts.data())) {
    FAIL() << WithHint(wrong->message) << "\nbin:  " << wrong->index << "\ngot:  " << wrong->got
           << "\nwant: " << wrong->want;
  }
}

TEST_P(HistogramTest, EveryCountIsRight) {
  const Problem& p = GetParam();
  const Input in(p);
  const GuardedBins d_bins(p.bins);
  if (!Run(p, in.device.data(), d_bins.data())) return;
  ExpectCounts(p, in, d_bins);
  EXPECT_TRUE(in.IsUntouched()) << Name(p) << ": d_in was written to";
}

std::string TestName(const testing::TestParamInfo<Problem>& info) {
  const Problem& p = info.param;
  return std::to_string(p.n) + "_" + lab7::Name(p.variant) + "_" + std::to_string(p.bins) + "_bins_" +
         lab7::Name(p.pattern);
}

INSTANTIATE_TEST_SUITE_P(Sizes, HistogramTest, testing::ValuesIn(lab7::PublicCases()), TestName);

// Catches what one call cannot show: state kept from one call to the next, and counts that start at what the bins hold.
class RepeatedHistogramTest : public HistogramTest {};

TEST_P(RepeatedHistogramTest, ASecondHistogramReplacesTheFirst) {
  const Problem& p = GetParam();
  const Input in(p), other(p, kSeed + 1);
  const GuardedBins d_bins(p.bins);
  if (!Run(p, other.device.data(), d_bins.data())) return;
  if (!Run(p, in.device.data(), d_bins.data())) return;
  ExpectCounts(p, in, d_bins);
}

INSTANTIATE_TEST_SUITE_P(Sizes, RepeatedHistogramTest,
                         testing::Values(Problem{.n = 10007, .bins = 256, .variant = lab7::kByte},
                                         Problem{.n = 10007, .bins = 500, .variant = lab7::kInt}),
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
  rung = lab7::RungOfProgram(argv[0]);
  testing::InitGoogleTest(&argc, argv);
  if (testing::GTEST_FLAG(list_tests)) return RUN_ALL_TESTS();

  emulator_findings.emplace();  // before the first CUDA call, which starts the emulator
  device_name = lab::DeviceName();
  if (device_name.empty()) {
    std::fprintf(stderr,
                 "lab7: there is no CUDA device here. To run on the emulator, put the folder of its libcudart.so.13 "
                 "first in LD_LIBRARY_PATH (build/lib/emulator).\n");
    return 1;
  }
  std::printf("lab7 %s on: %s\n", rung.c_str(), device_name.c_str());

  const int failed = RUN_ALL_TESTS();
  if (failed != 0) return 1;
  if (NothingIsWritten()) {
    std::printf("lab7 %s: %s\n", rung.c_str(), kNotWritten);
    return 77;
  }
  return 0;
}
