// What the device says of its allocations: those that live, and frees that go wrong.
#include <gtest/gtest.h>

#include "tests/emulator/exec/kernel_harness.h"

namespace warpgrade::emulator {
namespace {

class AllocationTest : public testing::Test {
 protected:
  DevicePtr Allocate(uint64_t bytes, const char* label) {
    Result<DevicePtr> at = device_.Allocate(bytes, label);
    EXPECT_TRUE(at.ok());
    return *at;
  }
  Device device_{KernelHarness::OneHostThread()};
};

TEST_F(AllocationTest, WhatIsNotFreedLivesInTheOrderOfAllocation) {
  DevicePtr a = Allocate(100, "a"), b = Allocate(200, "b"), c = Allocate(300, "c");
  EXPECT_TRUE(device_.Free(a).ok());
  DevicePtr d = Allocate(40, "d");  // takes the room of a
  std::vector<AllocationInfo> live = device_.LiveAllocations();
  ASSERT_EQ(live.size(), 3u);
  EXPECT_EQ(live[0].base, b);
  EXPECT_EQ(live[0].label, "b");
  EXPECT_EQ(live[0].bytes, 200u);
  EXPECT_EQ(live[1].base, c);
  EXPECT_EQ(live[2].base, d);
  EXPECT_LT(live[1].sequence, live[2].sequence);
  for (DevicePtr p : {b, c, d}) EXPECT_TRUE(device_.Free(p).ok());
  EXPECT_TRUE(device_.LiveAllocations().empty());
  EXPECT_TRUE(device_.Findings().empty());
}

TEST_F(AllocationTest, VariablesOfModulesAreNotTheProgramsToFree) {
  ASSERT_TRUE(device_.LoadModule(Kernel("", ".global .u32 v;"), "m").ok());
  EXPECT_TRUE(device_.LiveAllocations().empty());
}

TEST_F(AllocationTest, ADoubleFreeIsAFinding) {
  DevicePtr p = Allocate(64, "d_in");
  EXPECT_TRUE(device_.Free(p).ok());
  EXPECT_FALSE(device_.Free(p).ok());
  ASSERT_EQ(device_.Findings().size(), 1u);
  EXPECT_EQ(device_.Findings()[0].kind, FindingKind::kDoubleFree);
  EXPECT_EQ(device_.Findings()[0].address, p);
  EXPECT_NE(device_.Findings()[0].message.find("d_in"), std::string::npos);
}

TEST_F(AllocationTest, AFreeInsideAnAllocationIsAnotherFinding) {
  DevicePtr p = Allocate(64, "d_in");
  EXPECT_FALSE(device_.Free(p + 8).ok());
  EXPECT_TRUE(device_.Free(0).ok());
  ASSERT_EQ(device_.Findings().size(), 1u);
  EXPECT_EQ(device_.Findings()[0].kind, FindingKind::kInvalidFree);
  EXPECT_FALSE(IsFatal(device_.Findings()[0].kind));
}

TEST_F(AllocationTest, FindingsOfTheHostsSideAreKeptAndMerged) {
  Finding leak;
  leak.kind = FindingKind::kLeak;
  leak.message = "4 bytes of d_in were never freed";
  device_.AddFinding(leak);
  device_.AddFinding(leak);
  leak.message = "8 bytes of d_out were never freed";
  device_.AddFinding(leak);
  ASSERT_EQ(device_.Findings().size(), 2u);
  EXPECT_EQ(device_.Findings()[0].count, 2u);
}

}  // namespace
}  // namespace warpgrade::emulator
