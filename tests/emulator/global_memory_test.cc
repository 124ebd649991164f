#include "grader/emulator/memory/global_memory.h"

#include <gtest/gtest.h>

namespace warpgrade::emulator {
namespace {

class GlobalMemoryTest : public testing::Test {
 protected:
  bool IsInitialised() const { return memory_.Find(base_)->initialised; }

  static constexpr uint64_t kBytes = 3000;
  GlobalMemory memory_{1 << 20};
  const uint64_t base_ = *memory_.Allocate(kBytes, "d_in");
};

TEST_F(GlobalMemoryTest, CountsAnAllocationAsInitialisedOnceItsLastPieceIsWritten) {
  memory_.MarkWritten(base_, 1000);
  memory_.MarkWritten(base_ + 1000, 1000);
  EXPECT_FALSE(IsInitialised());
  memory_.MarkWritten(base_ + 2000, 1000);
  EXPECT_TRUE(IsInitialised());
}

TEST_F(GlobalMemoryTest, DoesNotCountAnAllocationWithAHoleAsInitialised) {
  memory_.MarkWritten(base_, 1000);
  memory_.MarkWritten(base_ + 1001, kBytes - 1001);
  EXPECT_FALSE(IsInitialised());
}

TEST_F(GlobalMemoryTest, ForgetsThePiecesOfAFreedAllocation) {
  memory_.MarkWritten(base_, kBytes - 1);
  ASSERT_TRUE(memory_.Free(base_).ok());
  ASSERT_EQ(*memory_.Allocate(kBytes, "d_out"), base_);
  memory_.MarkWritten(base_ + kBytes - 1, 1);
  EXPECT_FALSE(IsInitialised());
}

}  // namespace
}  // namespace warpgrade::emulator
