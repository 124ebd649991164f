// The correctness tests of one rung of lab5: `ctest` runs this program as lab5.<rung>.correctness. Linked with one
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

#include "labs/lab5/cases.h"
#include "labs/lab5/explain.h"
#include "labs/lab5/hints.h"
#include "labs/lab5/lab5.h"
#include "labs/lab5/values.h"
#include "labs/support/device_array.h"
#include "labs/support/emulator_findings.h"

namespace lab5 {

// What GoogleTest prints of a failed test's parameter.
static void PrintTo(const Problem& p, std::ostream* out) { *out << Name(p); }

}  // namespace lab5

namespace {

using lab5::Problem;

constexpr char kNotWritten[] = "not written yet";
constexpr uint64_t kSeed = 20240517;  // the same input in every run, so that a failure can be repeated

// Set up by main().
std::string device_name;
std::string rung;  // "v3_padded"; "" when the program's name does not say
std::optional<lab::EmulatorFindings> emulator_findings;
std::string device_lost_in;  // the test after which the device refused to go on

std::string WithHint(const std::string& message) {
  const std::string hint = lab5::Hint(rung, "correctness");
  return hint.empty() ? message : message + "\nhint: " + hint;
}

// An array on the device with room around it that must stay untouched. On the emulator there is none: it sees every
// byte that is written outside an allocation, and names the line. All of it is poison at first.
class Guarded {
 public:
  explicit Guarded(size_t bytes)
      : bytes_(bytes), guard_(lab::IsEmulator(device_name) ? 0 : 4096), array_(bytes + 2 * guard_) {
    if (bytes_ + guard_ > 0) {
      lab::Require(cudaMemset(array_.data(), lab5::kPoisonByte, bytes_ + 2 * guard_), "cudaMemset");
    }
  }

  void* data() const { return bytes_ == 0 ? nullptr : array_.bytes() + guard_; }

  std::vector<std::byte> Read() const {
    std::vector<std::byte> all(bytes_ + 2 * guard_);
    if (!all.empty()) {
      lab::Require(cudaMemcpy(all.data(), array_.data(), all.size(), cudaMemcpyDeviceToHost), "cudaMemcpy");
    }
    const auto is_poison = [](std::byte b) { return b == std::byte{lab5::kPoisonByte}; };
    const auto begin = all.begin() + static_cast<ptrdiff_t>(guard_);
    const auto end = begin + static_cast<ptrdiff_t>(bytes_);
    EXPECT_TRUE(std::all_of(all.begin(), begin, is_poison)) << "something was written before the start of the array";
    EXPECT_TRUE(std::all_of(end, all.end(), is_poison)) << "something was written past the end of the array";
    return {begin, end};
  }

 private:
  size_t bytes_, guard_;
  lab::DeviceArray array_;
};

// The input on the host and on the device.
struct Input {
  Input(const Problem& p, uint64_t seed) : host(p.Bytes()), device(host.size()) {
    DrawInput(p, seed, host.data());
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

class ScanTest : public testing::TestWithParam<Problem> {
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
  bool Run(const Problem& p, const Input& in, const Guarded& out, const Guarded& work) {
    try {
      lab5::CallScan(p.variant, in.device.data(), out.data(), p.n, work.data(), stream_);
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
                    << ". A grid has no dimension of 0; a block has at most 1024 threads and 48 KB of shared memory.";
      return false;
    }
    return true;
  }

  static void ExpectScan(const Problem& p, const Input& in, const Guarded& out, const Guarded& work) {
    const std::vector<std::byte> sums = out.Read();
    work.Read();  // for what stands around it
    if (const auto wrong = lab5::Explain(p, in.host.data(), sums.data())) {
      FAIL() << WithHint(wrong->message) << "\nindex: " << wrong->index << "\ngot:   " << wrong->got
             << "\nwant:  " << wrong->want;
    }
  }

  cudaStream_t stream_ = nullptr;
};

size_t WorkBytes(const Problem& p) { return WorkElements(p.n) * lab5::kElementBytes; }

TEST_P(ScanTest, EveryElementIsRight) {
  const Problem& p = GetParam();
  const Input in(p, kSeed);
  const Guarded out(p.Bytes()), work(WorkBytes(p));
  if (!Run(p, in, out, work)) return;
  ExpectScan(p, in, out, work);
  EXPECT_TRUE(in.IsUntouched()) << Name(p) << ": d_in was written to";
}

std::string TestName(const testing::TestParamInfo<Problem>& info) {
  std::string name = Name(info.param).substr(4);  // without "n = "
  std::replace(name.begin(), name.end(), ' ', '_');
  std::erase(name, ',');
  return name;
}

INSTANTIATE_TEST_SUITE_P(Sizes, ScanTest, testing::ValuesIn(lab5::PublicCases()), TestName);

// Catches what one call cannot show: state kept from one call to the next, in d_work above all, which still holds what
// the larger first call left there.
class RepeatedScanTest : public ScanTest {};

TEST_P(RepeatedScanTest, ASecondScanWithTheSameWorkspaceReplacesTheFirst) {
  const Problem& p = GetParam();
  Problem larger = p;
  larger.n = 2 * p.n + 1;
  const Input in(p, kSeed), larger_in(larger, kSeed + 1);
  const Guarded out(p.Bytes()), larger_out(larger.Bytes()), work(WorkBytes(larger));
  if (!Run(larger, larger_in, larger_out, work)) return;
  if (!Run(p, in, out, work)) return;
  ExpectScan(p, in, out, work);
  if (!Run(p, in, out, work)) return;
  ExpectScan(p, in, out, work);
}

INSTANTIATE_TEST_SUITE_P(Sizes, RepeatedScanTest,
                         testing::Values(Problem{.n = 50000, .variant = lab5::kFloatInclusive},
                                         Problem{.n = 131072, .variant = lab5::kIntExclusive}),
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
  rung = lab5::RungOfProgram(argv[0]);
  testing::InitGoogleTest(&argc, argv);
  if (testing::GTEST_FLAG(list_tests)) return RUN_ALL_TESTS();

  emulator_findings.emplace();  // before the first CUDA call, which starts the emulator
  device_name = lab::DeviceName();
  if (device_name.empty()) {
    std::fprintf(stderr,
                 "lab5: there is no CUDA device here. To run on the emulator, put the folder of its libcudart.so.13 "
                 "first in LD_LIBRARY_PATH (build/lib/emulator).\n");
    return 1;
  }
  std::printf("lab5 %s on: %s\n", rung.c_str(), device_name.c_str());

  const int failed = RUN_ALL_TESTS();
  if (failed != 0) return 1;
  if (NothingIsWritten()) {
    std::printf("lab5 %s: %s\n", rung.c_str(), kNotWritten);
    return 77;
  }
  return 0;
}
