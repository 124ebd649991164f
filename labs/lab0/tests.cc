// The correctness tests of one rung of lab0: `ctest` runs this program as lab0.<rung>.correctness. Linked with one
// rung's object and labs/support/rung_tests.cc, which says what the exit code means.
#include <cuda_runtime_api.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cstring>
#include <memory>
#include <ostream>
#include <string>
#include <vector>

#include "labs/lab0/cases.h"
#include "labs/lab0/explain.h"
#include "labs/lab0/hints.h"
#include "labs/lab0/lab0.h"
#include "labs/lab0/values.h"
#include "labs/support/device_array.h"
#include "labs/support/rung_tests.h"

namespace lab0 {

// What GoogleTest prints of a failed test's parameter.
static void PrintTo(const Problem& p, std::ostream* out) { *out << Name(p); }

}  // namespace lab0

namespace {

using lab0::Problem;
using lab0::Task;

constexpr uint64_t kSeed = 20240101;  // the same arrays in every run, so that a failure can be repeated

bool HasResult(Task task) { return task == lab0::kVectorAdd || task == lab0::kStreams; }

// An array where the rung's contract wants it: on the device, in host memory, or in page-locked host memory; with room
// behind it that must stay untouched. On the emulator there is none on the device: it sees every byte that is written
// outside an allocation, and names the line.
class Array {
 public:
  Array(Task task, size_t bytes) : on_host_(HasResult(task)), bytes_(bytes) {
    guard_ = !on_host_ && lab::IsOnEmulator() ? 0 : 4096;
    if (Total() == 0 || bytes == 0) return;
    if (on_host_) {
      host_.resize(Total());
      data_ = host_.data();
      locked_ = task == lab0::kStreams;
      if (locked_) lab::Require(cudaHostRegister(data_, Total(), cudaHostRegisterDefault), "cudaHostRegister");
    } else {
      lab::Require(cudaMalloc(&data_, Total()), "cudaMalloc");
    }
    Write(std::vector<std::byte>(Total(), std::byte{lab0::kPoisonByte}));
  }
  ~Array() {
    if (locked_) cudaHostUnregister(data_);
    if (!on_host_) cudaFree(data_);
  }
  Array(const Array&) = delete;
  Array& operator=(const Array&) = delete;

  void* data() const { return data_; }

  void Write(const std::vector<std::byte>& content) {
    if (content.empty() || data_ == nullptr) return;
    if (on_host_) {
      std::memcpy(data_, content.data(), content.size());
    } else {
      lab::Require(cudaMemcpy(data_, content.data(), content.size(), cudaMemcpyHostToDevice), "cudaMemcpy");
    }
  }

  // The content, after a look at what lies behind it.
  std::vector<std::byte> Read(const char* name) const {
    if (data_ == nullptr) return {};
    std::vector<std::byte> all(Total());
    if (on_host_) {
      std::memcpy(all.data(), data_, all.size());
    } else {
      lab::Require(cudaMemcpy(all.data(), data_, all.size(), cudaMemcpyDeviceToHost), "cudaMemcpy");
    }
    const bool untouched = std::all_of(all.begin() + static_cast<ptrdiff_t>(bytes_), all.end(),
                                       [](std::byte b) { return b == std::byte{lab0::kPoisonByte}; });
    EXPECT_TRUE(untouched) << "something was written past the end of " << name;
    all.resize(bytes_);
    return all;
  }

 private:
  size_t Total() const { return bytes_ + guard_; }

  const bool on_host_;
  const size_t bytes_;
  size_t guard_ = 0;
  bool locked_ = false;
  std::vector<std::byte> host_;
  void* data_ = nullptr;
};

class FirstKernelTest : public lab::RungTestOver<Problem> {
 protected:
  // Calls the student's function and waits. False when the test is over: skipped, or failed with a message.
  bool Run(const Problem& p, const lab0::Arguments& arguments) {
    int result = 0;
    if (!IsWritten([&] { result = lab0::CallRung(arguments); })) return false;
    const cudaError_t last = cudaGetLastError();
    if (!DeviceGoesOn(Name(p), cudaDeviceSynchronize())) return false;
    if (HasResult(p.task)) {
      if (const auto wrong = ExplainResult(p, result)) {
        ADD_FAILURE() << lab::WithHint(wrong->message);
        return false;
      }
      if (result != cudaSuccess) return true;  // as it should be
    }
    if (last != cudaSuccess) {
      ADD_FAILURE() << Name(p) << ": a launch or call had failed: " << cudaGetErrorString(last) << ". "
                    << lab::kGridLimits;
      return false;
    }
    return true;
  }

  // One call with its arrays; `seed` decides what stands in them.
  void RunAndCheck(const Problem& p, uint64_t seed) {
    const int inputs = InputCount(p.task);
    lab0::Arguments arguments{.buffers = {}, .first = p.first, .second = p.second, .stream = stream_};
    std::vector<std::vector<std::byte>> content;
    std::vector<std::unique_ptr<Array>> arrays;
    std::array<const void*, lab0::kInputs> pristine{};
    for (int i = 0; i < inputs; ++i) {
      content.emplace_back(InputBytes(p, i));
      Draw(p, i, seed + static_cast<uint64_t>(i), content.back().data());
      arrays.push_back(std::make_unique<Array>(p.task, content.back().size()));
      arrays.back()->Write(content.back());
      arguments.buffers[i] = arrays.back()->data();
    }
    for (int i = 0; i < inputs; ++i) pristine[static_cast<size_t>(i)] = content[static_cast<size_t>(i)].data();
    const Array output(p.task, OutputBytes(p));
    arguments.buffers[inputs] = output.data();
    if (!Run(p, arguments)) return;
    for (size_t i = 0; i < arrays.size(); ++i) {
      EXPECT_EQ(arrays[i]->Read("an input"), content[i]) << Name(p) << ": input number " << i << " was written to";
    }
    const std::vector<std::byte> answer = output.Read("the output");
    if (answer.empty()) return;
    if (const auto wrong = Explain(p, pristine, answer.data())) {
      FAIL() << lab::InFull(*wrong);
    }
  }
};

TEST_P(FirstKernelTest, EveryElementIsRight) { RunAndCheck(GetParam(), kSeed); }

std::string TestName(const testing::TestParamInfo<Problem>& info) {
  const Problem& p = info.param;
  if (p.pattern == lab0::kNoRoom) return "too_large";
  std::string name = std::to_string(p.first);
  if (p.second > 0 || p.task == lab0::kImage) name.append("x").append(std::to_string(p.second));
  if (p.pattern == lab0::kSpoiled) name += "_spoiled";
  return name;
}

// No allocation can be made to fail here: that takes the grader's emulator.
std::vector<Problem> AllCases() {
  std::vector<Problem> problems = lab0::PublicCases(lab0::RungTask());
  std::erase_if(problems, [](const Problem& p) { return p.FailingAllocation() > 0; });
  return problems;
}

// Evaluated by InitGoogleTest.
INSTANTIATE_TEST_SUITE_P(Sizes, FirstKernelTest, testing::ValuesIn(AllCases()), TestName);

// Catches state that is kept from one call to the next, and memory that is not given back.
class RepeatedFirstKernelTest : public FirstKernelTest {};

TEST_P(RepeatedFirstKernelTest, ASecondCallWithOtherValuesIsRightToo) {
  RunAndCheck(GetParam(), kSeed + 10);
  if (!HasFailure() && !IsSkipped()) RunAndCheck(GetParam(), kSeed + 20);
}

// Those that are quick enough to be run three times.
std::vector<Problem> SmallCases() {
  std::vector<Problem> problems = AllCases();
  std::erase_if(problems, [](const Problem& p) { return p.Outputs() > 200'000; });
  return problems;
}

INSTANTIATE_TEST_SUITE_P(Sizes, RepeatedFirstKernelTest, testing::ValuesIn(SmallCases()), TestName);

std::string Mistake(const std::string& rung) {
  return lab0::RungTask() == lab0::TaskOf(rung) ? "" : "the last line of this file belongs to another rung; see lab0.h";
}

}  // namespace

int main(int argc, char** argv) {
  return lab::RunRungTests({.lab = "lab0", .hint = lab0::Hint, .mistake = Mistake, .culprit = "program"}, argc, argv);
}
