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
  for (uint64_t at = 0; at != base_; at = *memory_.Allocate(kBytes, "d_out")) {
    EXPECT_TRUE(at == 0 || memory_.Free(at).ok());  // the addresses come back when all others have been used
  }
  memory_.MarkWritten(base_ + kBytes - 1, 1);
  EXPECT_FALSE(IsInitialised());
}

TEST_F(GlobalMemoryTest, BehindEachAllocationLiesAGuardOfItsOwnSize) {
  GlobalMemory memory(uint64_t{1} << 30);
  constexpr uint64_t kSmall = 12, kLarge = uint64_t{10} << 20, kLeast = 256 << 10;
  const uint64_t small = *memory.Allocate(kSmall, "small");
  const uint64_t large = *memory.Allocate(kLarge, "large");
  const uint64_t last = *memory.Allocate(kSmall, "last");
  EXPECT_GE(large - small, kSmall + kLeast);
  EXPECT_GE(last - large, 2 * kLarge);
  const uint64_t shared = *memory.AllocateShared(kLarge, MemoryKind::kManaged, "managed");
  EXPECT_GE(*memory.AllocateShared(kSmall, MemoryKind::kPinned, "pinned") - shared, 2 * kLarge);
}

TEST_F(GlobalMemoryTest, AllOfTheCapacityCanBeAllocatedInPiecesOfAnySize) {
  for (const uint64_t piece : {uint64_t{100}, uint64_t{4096}, uint64_t{100'000}, uint64_t{1} << 20}) {
    GlobalMemory memory(1 << 20);
    for (uint64_t held = 0; held + piece <= memory.capacity(); held += piece) {
      ASSERT_TRUE(memory.Allocate(piece, "piece").ok()) << held << " bytes in pieces of " << piece;
    }
  }
}

TEST_F(GlobalMemoryTest, FreedAddressesAreNotGivenOutAgainWhileThereAreOthers) {
  GlobalMemory memory(uint64_t{1} << 30);
  constexpr uint64_t kPiece = uint64_t{100} << 20;
  const uint64_t first = *memory.Allocate(kPiece, "first");
  ASSERT_TRUE(memory.Free(first).ok());
  for (int i = 0; i < 10; ++i) {
    const uint64_t next = *memory.Allocate(kPiece, "next");
    EXPECT_NE(next, first);
    EXPECT_TRUE(memory.WasFreed(first));
    EXPECT_TRUE(memory.Explain(first + 4, 4).freed);
    ASSERT_TRUE(memory.Free(next).ok());
  }
  const uint64_t pinned = *memory.AllocateShared(4096, MemoryKind::kPinned, "pinned");
  ASSERT_TRUE(memory.Free(pinned).ok());
  EXPECT_NE(*memory.AllocateShared(4096, MemoryKind::kPinned, "pinned"), pinned);
}

TEST_F(GlobalMemoryTest, AnAddressThatIsGivenOutAgainIsNotFreedAnyMore) {
  ASSERT_TRUE(memory_.Free(base_).ok());
  for (uint64_t at = 0; at != base_; at = *memory_.Allocate(kBytes, "d_out")) {
    EXPECT_TRUE(memory_.WasFreed(base_));
    EXPECT_TRUE(at == 0 || memory_.Free(at).ok());
  }
  EXPECT_FALSE(memory_.WasFreed(base_));
}

}  // namespace
}  // namespace warpgrade::emulator
