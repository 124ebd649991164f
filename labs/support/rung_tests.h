// What the test programs of all rungs share: main(), the fixture that calls the student's function and waits for it,
// and the words of failures. A lab's tests.cc adds its cases, its arrays and the comparison.
//
// On the emulator a rung also fails when the emulator finds a fault in its kernels (a race, an access out of bounds),
// even if the values are right this time.
//
// Not thread-safe: one thread runs the tests. Linked with GoogleTest and the CUDA runtime.
#pragma once

#include <cuda_runtime_api.h>
#include <gtest/gtest.h>

#include <functional>
#include <string>
#include <string_view>

#include "labs/support/explanation.h"

namespace lab {

inline constexpr char kGridLimits[] =
    "A grid has no dimension of 0 and at most 65535 blocks along y and z; a block has at most 1024 threads.";

// What differs from lab to lab. A lab's main() fills it in.
struct RungTests {
  const char* lab;  // "lab2"
  // Where to look; `what` is "correctness". "" when there is nothing to add.
  std::string (*hint)(std::string_view rung, std::string_view what);
  // Returns what is wrong with the rung's file, or "". It is called first, and if it returns words, no test runs. May
  // be null.
  std::string (*mistake)(const std::string& rung) = nullptr;
  // The tests hand out WorkArrays.
  bool has_workspace = false;
  // Registers further tests, which may depend on the device (on its memory, say). Called when there is one. May be
  // null.
  void (*register_more)() = nullptr;
  // Two words for the message "the ANSWERS are right, but the emulator saw the CULPRIT do something wrong".
  const char* answers = "values";
  const char* culprit = "kernel";
  // What a student whose launch was refused may have overlooked. Ends with a full stop.
  const char* launch_limits = kGridLimits;
};

// The whole of main(). Exit code: 0 all right, 1 something is wrong, 77 not written yet (ctest calls that "skipped").
int RunRungTests(const RungTests& tests, int argc, char** argv);

// The rung of this program, "v3_padded"; "" when the program's name does not say. Known as soon as RunRungTests has
// begun, so INSTANTIATE_TEST_SUITE_P, whose arguments InitGoogleTest evaluates, may ask for it.
const std::string& Rung();

// `message`, and below it the lab's hint for this rung if there is one.
std::string WithHint(const std::string& message);

// A wrong answer in full: message, hint, index, got and want.
std::string InFull(const Explanation& wrong);

// A test of the student's function, on a stream of its own. Skipped once a kernel has taken the device down.
class RungTest : public testing::Test {
 protected:
  void SetUp() override;
  void TearDown() override;

  // Calls the student's function, by `call`, and waits for the device. False when the test is over: it was skipped
  // since nothing is written yet, or it failed with a message that begins with the case's `name`.
  bool RunAndWait(const std::string& name, const std::function<void()>& call);

  // The two parts of RunAndWait, for rungs that launch and check errors themselves. False when the test is over.
  static bool IsWritten(const std::function<void()>& call);
  static bool DeviceGoesOn(const std::string& name, cudaError_t at_end);

  // "33 x 40, float": the case that is tested.
  virtual std::string CaseName() const = 0;

  cudaStream_t stream_ = nullptr;
};

// RungTest over a lab's cases, which have a Name() beside them.
template <typename Problem>
class RungTestOver : public RungTest, public testing::WithParamInterface<Problem> {
 protected:
  std::string CaseName() const override { return Name(this->GetParam()); }
};

}  // namespace lab
