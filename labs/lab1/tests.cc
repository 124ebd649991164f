// The tests of one rung of lab1: linked with that rung's object, run on the GPU if there is one, else on the emulator.
//
//   lab1.v3_sequential              all public cases (cases.yaml), and on a GPU one beyond 2^31 elements (huge.h).
//                                   On the emulator that one needs LAB1_HUGE=1, 9 GB, and --instructions 40000000000
//   lab1.v3_sequential --gtest_filter='*n_33_*'
//
// Exits with 0 when every case is right, 1 when one is wrong, 77 when the rung is not written yet. These tests are for
// students' own runs and earn nothing, so they may share a process with the reference; the grader's judge never does.
#include <cuda_runtime.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "grader/lab/call.h"
#include "labs/lab1/huge.h"
#include "labs/lab1/lab1_judge.h"
#include "labs/lab1/layout.h"
#include "labs/not_written.h"
#include "labs/support/device_array.h"
#include "labs/support/emulator_findings.h"

namespace {

using namespace warpgrade::lab1;
using warpgrade::Case;
using warpgrade::CaseSet;

constexpr int kExitNotWritten = 77;   // what ctest takes as "skipped"
constexpr uint64_t kSeed = 20240229;  // a failing case fails again when run again
constexpr size_t kFailuresShown = 3;  // in full; the others are counted
const char* const kNotWritten = "not written yet";

std::string rung_name;  // "v3_sequential"

std::optional<lab::EmulatorFindings> findings;  // a race is a wrong program even when the answer is right

std::string Explain(cudaError_t error) {
  return std::string(cudaGetErrorName(error)) + ": " + cudaGetErrorString(error);
}

// The three buffers of a case, on the device and on the host. Outputs and workspace are poisoned, as the judge does.
class Buffers {
 public:
  // Throws std::runtime_error when the device has no room.
  explicit Buffers(const Case& c) {
    const auto specs = warpgrade::Lab1().Buffers(c);
    warpgrade::Random random(kSeed);
    for (size_t b = 0; b < specs.size(); ++b) {
      host_.emplace_back(specs[b].bytes, warpgrade::kPoison);
      device_.push_back(std::make_unique<lab::DeviceArray>(specs[b].bytes));
      if (static_cast<int>(b) == kInBuffer) {
        warpgrade::Lab1().DrawInput(c, kInBuffer, random, host_[b]);
      }
      if (host_[b].empty()) continue;
      lab::Require(cudaMemcpy(device_[b]->data(), host_[b].data(), host_[b].size(), cudaMemcpyHostToDevice),
                   "cudaMemcpy");
    }
  }

  void Name(warpgrade::LabCall& call) const {
    call.buffer_count = kBuffers;
    for (size_t b = 0; b < device_.size(); ++b) {
      call.buffers[b] = device_[b]->data();
      call.buffer_bytes[b] = host_[b].size();
    }
  }

  std::optional<warpgrade::Mismatch> Check(const Case& c) {
    auto& out = host_[kOutBuffer];
    lab::Require(cudaMemcpy(out.data(), device_[kOutBuffer]->data(), out.size(), cudaMemcpyDeviceToHost), "cudaMemcpy");
    const std::span<const std::byte> spans[kBuffers] = {host_[kInBuffer], out, {}};
    return warpgrade::Lab1().Check(c, spans);
  }

 private:
  std::vector<std::vector<std::byte>> host_;
  std::vector<std::unique_ptr<lab::DeviceArray>> device_;
};

class Reduction : public testing::TestWithParam<Case> {};

TEST_P(Reduction, MatchesTheReference) {
  const Case& c = GetParam();
  Buffers buffers(c);
  warpgrade::LabCall call;
  call.variant = c.variant;
  call.size_count = kSizes;
  std::copy(c.sizes.begin(), c.sizes.end(), call.sizes);
  buffers.Name(call);
  try {
    warpgrade_lab_call(&call);
  } catch (const lab::NotWrittenYet&) {
    GTEST_SKIP() << kNotWritten;
  }
  cudaError_t error = cudaGetLastError();
  ASSERT_EQ(error, cudaSuccess) << c.name << ": the launch failed with " << Explain(error);
  error = cudaDeviceSynchronize();
  ASSERT_EQ(error, cudaSuccess) << c.name << ": the kernel failed with " << Explain(error);
  if (const auto mismatch = buffers.Check(c)) FAIL() << mismatch->message;
  EXPECT_EQ(findings->CountNew(), 0u) << c.name << ": the answer is right, but see the fault reported above";
}

// More elements than an int can count: gigabytes.
class HugeReduction : public testing::Test {
 public:
  explicit HugeReduction(size_t n) : n_(n) {}

  void TestBody() override {
    const lab::DeviceArray in(n_ * sizeof(int32_t)), out(sizeof(int32_t)), work(WorkElements(n_) * sizeof(int32_t));
    lab::Require(cudaMemset(in.data(), 0, n_ * sizeof(int32_t)), "cudaMemset");
    for (const Mark& mark : HugeMarks(n_)) {
      int32_t* const place = static_cast<int32_t*>(in.data()) + mark.place;
      lab::Require(cudaMemcpy(place, &mark.value, sizeof mark.value, cudaMemcpyHostToDevice), "cudaMemcpy");
    }
    warpgrade::LabCall call;
    call.variant = VariantNumber({Element::kInt, Operation::kSum});
    call.size_count = kSizes;
    call.sizes[kCount] = n_;
    call.sizes[kFront] = call.sizes[kBack] = 0;
    call.buffer_count = kBuffers;
    const std::pair<const lab::DeviceArray*, size_t> buffers[kBuffers] = {
        {&in, n_}, {&out, 1}, {&work, WorkElements(n_)}};
    for (size_t b = 0; b < kBuffers; ++b) {
      call.buffers[b] = buffers[b].first->data();
      call.buffer_bytes[b] = buffers[b].second * sizeof(int32_t);
    }
    try {
      warpgrade_lab_call(&call);
    } catch (const lab::NotWrittenYet&) {
      GTEST_SKIP() << kNotWritten;
    }
    const cudaError_t error = cudaDeviceSynchronize();
    ASSERT_EQ(error, cudaSuccess) << "n = " << n_ << ", int, sum: the kernel failed with " << Explain(error);
    int32_t sum = 0;
    lab::Require(cudaMemcpy(&sum, out.data(), sizeof sum, cudaMemcpyDeviceToHost), "cudaMemcpy");
    if (const std::string wrong = ExplainHugeSum(n_, sum); !wrong.empty()) FAIL() << wrong;
  }

 private:
  const size_t n_;
};

// Adds it to the tests where there is a GPU with room for it, or an emulator and a person with patience.
void RegisterHugeReduction(const cudaDeviceProp& device) {
  size_t free_bytes = 0, all_bytes = 0;
  if (cudaMemGetInfo(&free_bytes, &all_bytes) != cudaSuccess) return;
  if (lab::IsEmulator(device.name)) {
    if (std::getenv("LAB1_HUGE") == nullptr) return;
    free_bytes = std::min(free_bytes, size_t{10} << 30);  // enough beyond 2^31
  }
  const size_t n = HugeCount(free_bytes);
  if (n == 0) return;
  testing::RegisterTest("HugeReduction", "MoreElementsThanAnIntCounts", nullptr, nullptr, __FILE__, __LINE__,
                        [n]() -> testing::Test* { return new HugeReduction(n); });
}

std::vector<Case> PublicCases() {
  warpgrade::Random random(kSeed);
  return warpgrade::Lab1().Cases("", CaseSet::kPublic, random);
}

// "n = 33, float, sum" -> "n_33_float_sum"
std::string NameOf(const testing::TestParamInfo<Case>& info) {
  std::string name;
  for (const char ch : info.param.name) {
    if (isalnum(static_cast<unsigned char>(ch))) {
      name += ch;
    } else if (!name.empty() && name.back() != '_') {
      name += '_';
    }
  }
  return name;
}

INSTANTIATE_TEST_SUITE_P(lab1, Reduction, testing::ValuesIn(PublicCases()), NameOf);

// One line for each of the first wrong cases, the hint, and a summary: what is wrong, not how the test is written.
class Printer : public testing::EmptyTestEventListener {
 public:
  int ExitCode(int gtest_result) const {
    if (gtest_result != 0 || failed_ > 0) return 1;
    return skipped_ > 0 && passed_ == 0 ? kExitNotWritten : 0;
  }

 private:
  void OnTestPartResult(const testing::TestPartResult& part) override {
    if (!part.failed()) return;
    if (shown_++ >= kFailuresShown) return;
    // GoogleTest puts "Expected: ..., Actual: ..." before what the test says; the last line is ours.
    const std::string message = part.message();
    const size_t last = message.find_last_of('\n');
    std::printf("  WRONG  %s\n",
                message.substr(last == std::string::npos || last + 1 == message.size() ? 0 : last + 1).c_str());
  }
  void OnTestEnd(const testing::TestInfo& test) override {
    const testing::TestResult& result = *test.result();
    ++(result.Skipped() ? skipped_ : result.Failed() ? failed_ : passed_);
  }
  void OnTestIterationEnd(const testing::UnitTest&, int) override {
    if (skipped_ > 0 && passed_ + failed_ == 0) {
      std::printf("  %s\n", kNotWritten);
      return;
    }
    if (failed_ == 0) {
      std::printf("  ok     %zu of %zu cases\n", passed_, passed_);
      return;
    }
    if (shown_ > kFailuresShown) std::printf("  and %zu more\n", shown_ - kFailuresShown);
    const std::string hint = warpgrade::Lab1().Hint(rung_name, "correctness");
    if (!hint.empty()) std::printf("  Hint: %s\n", hint.c_str());
    std::printf("  %zu of %zu cases are right\n", passed_, passed_ + failed_ + skipped_);
  }
  size_t passed_ = 0, failed_ = 0, skipped_ = 0, shown_ = 0;
};

// "build/bin/lab1.v3_sequential" or "build/labs/lab1/v3_sequential_test" -> "v3_sequential"
std::string RungOf(std::string program) {
  program = program.substr(program.find_last_of('/') + 1);
  for (const std::string part : {"lab1.", "_test"}) {
    if (const size_t at = program.find(part); at != std::string::npos) program.erase(at, part.size());
  }
  return program;
}

}  // namespace

int main(int argc, char** argv) {
  testing::InitGoogleTest(&argc, argv);
  if (testing::GTEST_FLAG(list_tests)) return RUN_ALL_TESTS();
  rung_name = RungOf(argv[0]);
  findings.emplace();  // before the first CUDA call, which reads the environment

  cudaDeviceProp device{};
  if (const cudaError_t error = cudaGetDeviceProperties(&device, 0); error != cudaSuccess) {
    std::fprintf(stderr,
                 "lab1 %s: there is no GPU (%s). Run it on the emulator: ./warpgrade check lab1, or ctest in the build "
                 "folder.\n",
                 rung_name.c_str(), Explain(error).c_str());
    return 1;
  }
  std::printf("lab1 %s on %s\n", rung_name.c_str(), device.name);
  RegisterHugeReduction(device);

  auto* const printer = new Printer;  // owned by GoogleTest
  auto& listeners = testing::UnitTest::GetInstance()->listeners();
  delete listeners.Release(listeners.default_result_printer());
  listeners.Append(printer);
  return printer->ExitCode(RUN_ALL_TESTS());
}
