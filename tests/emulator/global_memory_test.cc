#include "grader/emulator/memory/global_memory.h"

#include <gtest/gtest.h>
#include <sys/mman.h>

#include <algorithm>
#include <fstream>
#include <vector>

#include "grader/emulator/memory/huge_pages.h"
#include "grader/emulator/memory/shadow_memory.h"

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

uint64_t ResidentBytes() {
  uint64_t size = 0, resident = 0;
  std::ifstream("/proc/self/statm") >> size >> resident;
  return resident * 4096;
}

// A program may allocate what it does not use. Half of it would be 3.2 GB.
TEST(GlobalShadowTest, TakesLittleMemoryForArraysThatNobodyUses) {
  constexpr uint64_t kArray = uint64_t{16} << 20, kMost = uint64_t{100} << 20;
  GlobalMemory memory(uint64_t{8} << 30);
  GlobalShadow shadow(memory.reserved());
  const uint64_t before = ResidentBytes();
  for (int k = 0; k < 400; ++k) {
    ASSERT_TRUE(memory.Allocate(kArray, "d_unused").ok());
    shadow.NextLaunch(true, memory);
  }
  EXPECT_LT(ResidentBytes() - before, kMost);
}

bool SystemCanPopulate() {
  void* const page = mmap(nullptr, 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  const bool can = page != MAP_FAILED && madvise(page, 4096, MADV_POPULATE_WRITE) == 0;
  if (page != MAP_FAILED) munmap(page, 4096);
  return can;
}

TEST(GlobalShadowTest, GivesBackTheMemoryOfFreedArrays) {
  if (!SystemCanPopulate()) GTEST_SKIP() << "this system is older than Linux 5.14";
  constexpr uint64_t kArray = uint64_t{16} << 20, kMost = uint64_t{100} << 20;
  GlobalMemory memory(uint64_t{8} << 30);
  GlobalShadow shadow(memory.reserved());
  const uint64_t before = ResidentBytes();
  for (int k = 0; k < 40; ++k) {
    const auto array = memory.Allocate(kArray, "d_in");
    ASSERT_TRUE(array.ok());
    shadow.NextLaunch(true, memory);
    EXPECT_GT(ResidentBytes() - before, kArray / 4) << "the lines of array " << k << " have memory before their use";
    const uint64_t room = memory.Find(*array)->room;
    ASSERT_TRUE(memory.Free(*array).ok());
    shadow.Forget(*array - GlobalMemory::kBase, room);
    EXPECT_LT(ResidentBytes() - before, kMost);
  }
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

// How many pages of 4 KiB the system gives if one byte in the middle is written.
int64_t PagesOfOneByte(uint8_t* at, uint64_t bytes) {
  at[bytes / 2] = 1;
  std::vector<unsigned char> resident(bytes / 4096);
  EXPECT_EQ(mincore(at, bytes, resident.data()), 0);
  return std::count_if(resident.begin(), resident.end(), [](unsigned char page) { return (page & 1) != 0; });
}

TEST_F(GlobalMemoryTest, HugePagesAreNeverTakenBesideAnArrayOrAfterItsEnd) {
  constexpr uint64_t kHuge = uint64_t{2} << 20;
  void* const mapped = mmap(nullptr, 8 * kHuge, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  ASSERT_NE(mapped, MAP_FAILED);
  uint8_t* const first = static_cast<uint8_t*>(mapped) + (kHuge - reinterpret_cast<uintptr_t>(mapped) % kHuge) % kHuge;
  // Nearly two huge pages around the border of two: no whole one.
  PreferHugePages(first + 4096, 2 * kHuge - 8192);
  EXPECT_EQ(PagesOfOneByte(first, kHuge), 1);
  EXPECT_EQ(PagesOfOneByte(first + kHuge, kHuge), 1);
  PreferHugePages(first + 2 * kHuge, 2 * kHuge);
  PreferSmallPages(first + 2 * kHuge, 2 * kHuge);
  EXPECT_EQ(PagesOfOneByte(first + 2 * kHuge, kHuge), 1);
  munmap(mapped, 8 * kHuge);
}

// Sets all of `bytes` but the first and the last one to 0, and says whether all have the right values.
bool ClearsAllBetween(const GlobalMemory& memory, uint64_t at, uint64_t bytes) {
  uint8_t* const begin = memory.Host(at);
  std::fill_n(begin, bytes, uint8_t{7});
  memory.Clear(at + 1, bytes - 2);
  return begin[0] == 7 && begin[bytes - 1] == 7 &&
         std::all_of(begin + 1, begin + bytes - 1, [](uint8_t value) { return value == 0; });
}

TEST_F(GlobalMemoryTest, ALargeArrayOfZerosTakesNoMemory) {
  constexpr uint64_t kLarge = (uint64_t{65} << 20) + 100;
  GlobalMemory memory(uint64_t{1} << 30);
  const uint64_t large = *memory.Allocate(kLarge, "large");
  std::fill_n(memory.Host(large), kLarge, uint8_t{7});
  memory.Clear(large, kLarge);
  unsigned char is_resident = 0;
  uint8_t* const middle = memory.Host(large) + kLarge / 2;
  ASSERT_EQ(mincore(middle - reinterpret_cast<uintptr_t>(middle) % 4096, 4096, &is_resident), 0);
  EXPECT_EQ(is_resident & 1, 0);
}

TEST_F(GlobalMemoryTest, ClearingSetsAllBytesToZeroAndNoOthers) {
  constexpr uint64_t kLarge = (uint64_t{65} << 20) + 100;
  GlobalMemory memory(uint64_t{1} << 30);
  EXPECT_TRUE(ClearsAllBetween(memory, *memory.Allocate(kLarge, "large"), kLarge));
  EXPECT_TRUE(ClearsAllBetween(memory, *memory.Allocate(kBytes, "small"), kBytes));
  EXPECT_TRUE(ClearsAllBetween(memory, *memory.AllocateShared(kLarge, MemoryKind::kManaged, "managed"), kLarge));
}

}  // namespace
}  // namespace warpgrade::emulator
