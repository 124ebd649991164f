// The arrays that the labs' tests hand out, on the emulator: this program is linked with its libcudart.
#include "labs/support/test_arrays.h"

#include <gtest/gtest.h>

#include <vector>

#include "labs/support/emulator_findings.h"
#include "labs/support/explanation.h"

namespace lab {
namespace {

using Bytes = std::vector<unsigned char>;

Bytes CopyOf(const void* array) {
  Bytes bytes(100);
  Require(cudaMemcpy(bytes.data(), array, bytes.size(), cudaMemcpyDeviceToHost), "cudaMemcpy");
  return bytes;
}

// One test, because the first CUDA call of a process reads the environment.
TEST(TestArraysTest, AWorkspaceHoldsPoisonThatNobodyHasWrittenAndAnOutputPoisonThatTheTestHasWritten) {
  FillNewMemoryWithPoison();
  EmulatorFindings findings;
  ASSERT_TRUE(IsOnEmulator());
  const WorkArray work(100, "d_work");
  const GuardedArray out(100, "d_out");

  EXPECT_EQ(CopyOf(work.data()), Bytes(100, kPoisonByte));
  EXPECT_EQ(findings.CountNew(), 1u) << "the copy to the host is an uninitialised-read";
  EXPECT_EQ(CopyOf(out.data()), Bytes(100, kPoisonByte));
  work.ExpectRoomIsUntouched();
  EXPECT_EQ(findings.CountNew(), 0u);
}

}  // namespace
}  // namespace lab
