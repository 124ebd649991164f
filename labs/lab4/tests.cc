// The correctness tests of one rung of lab4: `ctest` runs this program as lab4.<rung>.correctness. Linked with one
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
#include <vector>

#include "labs/lab4/cases.h"
#include "labs/lab4/explain.h"
#include "labs/lab4/hints.h"
#include "labs/lab4/lab4.h"
#include "labs/lab4/values.h"
#include "labs/support/device_array.h"
#include "labs/support/emulator_findings.h"

namespace lab4 {

// What GoogleTest prints of a failed test's parameter.
static void PrintTo(const Problem& p, std::ostream* out) { *out << Name(p); }

}  // namespace lab4

namespace {

using lab4::Problem;

constexpr char kNotWritten[] = "not written yet";
constexpr uint64_t kSeed = 20260413;  // the same arrays in every run, so that a failure can be repeated

// Set up by main().
std::string device_name;
std::string rung;  // "v3_tiled"; "" when the program's name does not say
std::optional<lab::EmulatorFindings> emulator_findings;
std::string device_lost_in;  // the test after which the device refused to go on

std::string WithHint(const std::string& message) {
  const std::string hint = lab4::Hint(rung, "correctness");
  return hint.empty() ? message : message + "\nhint: " + hint;
}

class ConvolutionTest : public testing::TestWithParam<Problem> {
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
  bool Run(const Problem& p, const lab4::Arguments& arguments) {
    try {
      lab4::CallRung(arguments, stream_);
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
                    << ". A grid has no dimension of 0 and at most " << lab4::kMaxGridY
                    << " blocks along y and z; a block has at most 1024 threads.";
      return false;
    }
    return true;
  }

  cudaStream_t stream_ = nullptr;
};

// An array on the host and on the device.
class Input {
 public:
  using Draw = void (*)(const Problem&, uint64_t seed, float*);
  Input(const Problem& p, size_t elements, Draw draw, uint64_t seed) : host_(elements), device_(elements * 4) {
    draw(p, seed, host_.data());
    lab::Require(cudaMemcpy(device_.data(), host_.data(), elements * 4, cudaMemcpyHostToDevice), "cudaMemcpy");
  }
  bool IsUntouched() const {
    std::vector<float> after(host_.size());
    lab::Require(cudaMemcpy(after.data(), device_.data(), after.size() * 4, cudaMemcpyDeviceToHost), "cudaMemcpy");
    return std::memcmp(after.data(), host_.data(), after.size() * 4) == 0;  // bit by bit: a NaN equals nothing
  }

  const float* host() const { return host_.data(); }
  const float* device() const { return static_cast<const float*>(device_.data()); }

 private:
  std::vector<float> host_;
  lab::DeviceArray device_;
};

// What a call gets. The workspace holds what it holds.
class Inputs {
 public:
  explicit Inputs(const Problem& p, uint64_t seed = kSeed)
      : p_(p),
        in_(p, p.Elements(), lab4::DrawInput, seed),
        mask_(p, p.MaskElements(), lab4::DrawMask, seed + 1),
        row_mask_(
            p, p.variant == lab4::kSeparable ? static_cast<size_t>(p.mask_columns) : 0,
            p.variant == lab4::kSeparable ? lab4::DrawRowMask : [](const Problem&, uint64_t, float*) {}, seed + 2),
        workspace_(p.variant == lab4::kSeparable ? p.Elements() * 4 : 0) {}

  lab4::Arguments To(void* d_out) const {
    const bool is_separable = p_.variant == lab4::kSeparable;
    lab4::Arguments a;
    a.d_in = in_.device();
    a.d_mask = mask_.device();
    a.d_row_mask = is_separable ? row_mask_.device() : nullptr;
    a.d_workspace = is_separable ? static_cast<float*>(workspace_.data()) : nullptr;
    a.d_out = static_cast<float*>(d_out);
    a.rows = p_.rows;
    a.columns = p_.columns;
    a.mask_rows = p_.mask_rows;
    a.mask_columns = p_.mask_columns;
    return a;
  }
  lab4::Inputs OnHost() const { return {.in = in_.host(), .mask = mask_.host(), .row_mask = row_mask_.host()}; }

  void ExpectUntouched() const {
    EXPECT_TRUE(in_.IsUntouched()) << Name(p_) << ": d_in was written to";
    EXPECT_TRUE(mask_.IsUntouched()) << Name(p_) << ": the mask was written to";
    EXPECT_TRUE(row_mask_.IsUntouched()) << Name(p_) << ": d_row_mask was written to";
  }

 private:
  Problem p_;
  Input in_, mask_, row_mask_;
  lab::DeviceArray workspace_;
};

// The output with room around it that must stay untouched. On the emulator there is none: it sees every byte that is
// written outside an allocation, and names the line.
class GuardedOutput {
 public:
  explicit GuardedOutput(size_t elements)
      : elements_(elements),
        guard_(lab::IsEmulator(device_name) ? 0 : 1024),
        array_((elements + 2 * guard_) * sizeof(float)) {
    if (Total() > 0) {
      lab::Require(cudaMemset(array_.data(), lab4::kPoisonByte, Total() * sizeof(float)), "cudaMemset");
    }
  }

  void* data() const { return Total() == 0 ? nullptr : array_.bytes() + guard_ * sizeof(float); }

  std::vector<float> Read() const {
    std::vector<float> all(Total());
    if (!all.empty()) {
      lab::Require(cudaMemcpy(all.data(), array_.data(), all.size() * sizeof(float), cudaMemcpyDeviceToHost),
                   "cudaMemcpy");
    }
    EXPECT_TRUE(IsUntouched(all.data(), guard_)) << "something was written before the start of d_out";
    EXPECT_TRUE(IsUntouched(all.data() + guard_ + elements_, guard_)) << "something was written past the end of d_out";
    const auto begin = all.begin() + static_cast<ptrdiff_t>(guard_);
    return {begin, begin + static_cast<ptrdiff_t>(elements_)};
  }

 private:
  size_t Total() const { return elements_ + 2 * guard_; }
  static bool IsUntouched(const float* from, size_t elements) {
    const auto* const bytes = reinterpret_cast<const unsigned char*>(from);
    return std::all_of(bytes, bytes + elements * sizeof(float), [](unsigned char b) { return b == lab4::kPoisonByte; });
  }

  size_t elements_, guard_;
  lab::DeviceArray array_;
};

void ExpectConvolution(const Problem& p, const Inputs& inputs, const GuardedOutput& d_out) {
  const std::vector<float> out = d_out.Read();
  if (const auto wrong = lab4::Explain(p, inputs.OnHost(), out.data())) {
    FAIL() << WithHint(wrong->message) << "\nindex: " << wrong->index << "\ngot:   " << wrong->got
           << "\nwant:  " << wrong->want;
  }
}

TEST_P(ConvolutionTest, EveryElementIsRight) {
  const Problem& p = GetParam();
  const Inputs inputs(p);
  const GuardedOutput d_out(p.Elements());
  if (!Run(p, inputs.To(d_out.data()))) return;
  ExpectConvolution(p, inputs, d_out);
  inputs.ExpectUntouched();
}

std::string TestName(const testing::TestParamInfo<Problem>& info) {
  const Problem& p = info.param;
  const auto size = [](auto rows, auto columns) { return std::to_string(rows) + "x" + std::to_string(columns); };
  std::string name = size(p.rows, p.columns) + "_mask_" + size(p.mask_rows, p.mask_columns);
  if (p.pattern != lab4::kExact) name += std::string("_") + lab4::Name(p.pattern);
  return name;
}

// Evaluated by InitGoogleTest, when main has found out which rung this is.
INSTANTIATE_TEST_SUITE_P(Sizes, ConvolutionTest, testing::ValuesIn(lab4::PublicCases(rung)), TestName);

// Catches what one call cannot show: a mask that is kept from one call to the next, and sums that start at what d_out
// holds.
class RepeatedConvolutionTest : public ConvolutionTest {};

TEST_P(RepeatedConvolutionTest, ASecondCallWithAnotherMaskReplacesTheFirst) {
  const Problem& p = GetParam();
  const Inputs first(p, kSeed + 10), second(p);
  const GuardedOutput d_out(p.Elements());
  if (!Run(p, first.To(d_out.data()))) return;
  if (!Run(p, second.To(d_out.data()))) return;
  ExpectConvolution(p, second, d_out);
}

std::vector<Problem> Repeated() {
  const lab4::Variant variant = lab4::RungVariant();
  if (variant == lab4::kLine) {
    return {{.variant = variant, .columns = 1000, .mask_columns = 9},
            {.variant = variant, .columns = 77, .mask_columns = 127}};
  }
  return {{.variant = variant, .rows = 70, .columns = 100, .mask_rows = 5, .mask_columns = 9},
          {.variant = variant, .rows = 33, .columns = 9, .mask_rows = 31, .mask_columns = 31}};
}

INSTANTIATE_TEST_SUITE_P(Sizes, RepeatedConvolutionTest, testing::ValuesIn(Repeated()), TestName);

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
  rung = lab4::RungOfProgram(argv[0]);
  testing::InitGoogleTest(&argc, argv);
  if (testing::GTEST_FLAG(list_tests)) return RUN_ALL_TESTS();

  if (!rung.empty() && lab4::RungVariant() != lab4::VariantOf(rung)) {
    std::fprintf(stderr,
                 "lab4 %s: this rung is to implement %s: v1, v2, v3 and v7 end with LAB4_LINE_RUNG();, v4, v5 and "
                 "v8 with LAB4_IMAGE_RUNG();, v6 with LAB4_SEPARABLE_RUNG();\n",
                 rung.c_str(), lab4::FunctionName(lab4::VariantOf(rung)));
    return 1;
  }
  emulator_findings.emplace();  // before the first CUDA call, which starts the emulator
  device_name = lab::DeviceName();
  if (device_name.empty()) {
    std::fprintf(stderr,
                 "lab4: there is no CUDA device here. To run on the emulator, put the folder of its libcudart.so.13 "
                 "first in LD_LIBRARY_PATH (build/lib/emulator).\n");
    return 1;
  }
  std::printf("lab4 %s on: %s\n", rung.c_str(), device_name.c_str());

  const int failed = RUN_ALL_TESTS();
  if (failed != 0) return 1;
  if (NothingIsWritten()) {
    std::printf("lab4 %s: %s\n", rung.c_str(), kNotWritten);
    return 77;
  }
  return 0;
}
