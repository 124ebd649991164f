// Reads of shared memory that the checks pass quickly, without a look at each lane. Each test has a read that is nearly
// of that kind, and a fault that is missed, or a false one that is seen, if it is taken for one.
#include <gtest/gtest.h>

#include "tests/emulator/exec/kernel_harness.h"

namespace warpgrade::emulator {
namespace {

// %r1: the thread's lane; %r2: the lane's word of the first line; %p0 to %p3: the warp is 0 to 3; %p4: the lane is 0.
constexpr const char* kPrelude = R"(
  and.b32 %r1, %t, 31; shl.b32 %r2, %r1, 2; mov.u32 %r3, tile; add.u32 %r2, %r2, %r3; shr.u32 %r4, %t, 5;
  setp.eq.u32 %p0, %r4, 0; setp.eq.u32 %p1, %r4, 1; setp.eq.u32 %p2, %r4, 2; setp.eq.u32 %p3, %r4, 3;
  setp.eq.u32 %p4, %r1, 0; setp.eq.and.u32 %p5, %r1, 0, %p0; setp.eq.and.u32 %p6, %r1, 0, %p1;
  setp.eq.and.u32 %p7, %r1, 0, %p2;
)";
// Warps 0 and 1 read the first line, so that its words are settled for the others.
constexpr const char* kBothRead = "@%p0 ld.shared.u32 %r5, [%r2]; @%p1 ld.shared.u32 %r5, [%r2];\n";
// Warp 0 reads words 0, 1 and 2 with all lanes, which makes the line one that is kept by words.
constexpr const char* kByWords =
    "@%p0 ld.shared.u32 %r5, [tile]; @%p0 ld.shared.u32 %r5, [tile+4]; @%p0 ld.shared.u32 %r5, [tile+8];\n";

// What is found in a block of four warps.
std::vector<Finding> Found(const std::string& body, bool uninitialised = false, bool races = true) {
  DeviceOptions options = KernelHarness::OneHostThread();
  options.checks.uninitialised = uninitialised;
  options.checks.shared_races = races;
  KernelHarness harness(options);
  harness.Load(Kernel(kPrelude + body, ".file 1 \"lab.cu\"\n.shared .align 128 .b8 tile[4096];\n"));
  Ran ran = harness.Launch({1}, {128}, {harness.Allocate(4096)});
  EXPECT_EQ(ran.status, LaunchStatus::kOk) << Describe(ran.findings);
  return ran.findings;
}

// `read`, in line 10, races with `write` in line 11.
void ExpectRace(const std::string& before, const std::string& read, const std::string& write) {
  const std::vector<Finding> found = Found(before + ".loc 1 10 0\n" + read + "\n.loc 1 11 0\n" + write);
  ASSERT_EQ(found.size(), 1u) << Describe(found);
  EXPECT_EQ(found[0].kind, FindingKind::kSharedRace);
  EXPECT_EQ(found[0].line, 11);
  EXPECT_EQ(found[0].other_line, 10) << found[0].message;
}

TEST(QuickReadTest, ReadsOfSettledWordsAreNoRace) {
  EXPECT_EQ(Describe(Found(std::string(kBothRead) + "ld.shared.u32 %r5, [%r2]; ld.shared.u32 %r5, [tile+8];")), "");
}

TEST(QuickReadTest, ARunThatEndsInTheNextLineCountsThere) {
  ExpectRace("@%p0 ld.shared.u32 %r5, [%r2+128]; @%p1 ld.shared.u32 %r5, [%r2+128];",
             "@%p2 ld.shared.u32 %r5, [%r2+64];", "@%p3 st.shared.u32 [%r2], 1;");
  ExpectRace(kBothRead, "@%p2 ld.shared.u32 %r5, [%r2+64];", "@%p3 st.shared.u32 [%r2+128], 1;");
}

TEST(QuickReadTest, ARunOfBytesThatEndsInTheMiddleOfAWordCountsThere) {
  ExpectRace(
      "setp.lt.and.u32 %p8, %r1, 8, %p0; setp.lt.and.u32 %p9, %r1, 8, %p1;"
      "@%p8 ld.shared.u32 %r5, [%r2]; @%p9 ld.shared.u32 %r5, [%r2]; mov.u32 %r6, tile; add.u32 %r6, %r6, %r1;",
      "@%p2 ld.shared.u8 %r5, [%r6+1];", "@%p3 st.shared.u32 [tile+32], 1;");
}

TEST(QuickReadTest, AReadOfWordsThatAreSettledOnlyInPartCounts) {
  ExpectRace(
      "setp.lt.and.u32 %p8, %r1, 16, %p0; setp.lt.and.u32 %p9, %r1, 16, %p1;"
      "@%p8 ld.shared.u32 %r5, [%r2]; @%p9 ld.shared.u32 %r5, [%r2];",
      "@%p2 ld.shared.u32 %r5, [%r2];", "@%p3 st.shared.u32 [tile+80], 1;");
}

TEST(QuickReadTest, AReadAfterABarrierCountsThoughTheLineWasSettledBefore) {
  ExpectRace(std::string(kBothRead) + "bar.sync 0;", "@%p0 ld.shared.u32 %r5, [%r2];", "@%p1 st.shared.u32 [%r2], 1;");
}

TEST(QuickReadTest, AReadRacesWithAtomicsOfTwoWarps) {
  const std::vector<Finding> found = Found(
      ".loc 1 10 0\n@%p5 red.shared.add.u32 [tile], 1; @%p6 red.shared.add.u32 [tile], 1;"
      "\n.loc 1 11 0\n@%p2 ld.shared.u32 %r5, [tile];");
  ASSERT_EQ(found.size(), 1u) << Describe(found);
  EXPECT_EQ(found[0].line, 11);
}

TEST(QuickReadTest, AWordThatAllLanesReadRacesWithAWriteByAnotherWarpOrByOneOfThem) {
  ExpectRace(kByWords, "@%p1 ld.shared.u32 %r5, [tile+20];", "@%p7 st.shared.u32 [tile+20], 1;");
  ExpectRace(kByWords, "@%p1 ld.shared.u32 %r5, [tile+20];", "@%p6 st.shared.u32 [tile+20], 1;");
}

TEST(QuickReadTest, AThreadMayWriteTheWordThatItAloneHasRead) {
  EXPECT_EQ(
      Describe(Found(std::string(kByWords) + "@%p6 ld.shared.u32 %r5, [tile+20]; @%p6 st.shared.u32 [tile+20], 1;")),
      "");
}

TEST(QuickReadTest, AllBytesOfAWiderReadCount) {
  ExpectRace(kByWords, "@%p1 ld.shared.u64 %rd5, [tile+16];", "@%p7 st.shared.u32 [tile+20], 1;");
}

TEST(QuickReadTest, ScatteredReadsBeforeItAreLookedAtFirst) {
  const std::string scattered =
      "mov.u32 %r6, 31; sub.u32 %r6, %r6, %r1; shl.b32 %r6, %r6, 2; add.u32 %r6, %r6, %r3;"
      "\n.loc 1 9 0\n@%p0 ld.shared.u32 %r5, [%r6];\n.loc 1 10 0\n@%p1 ld.shared.u32 %r5, [tile+20];";
  const std::vector<Finding> found = Found(kByWords + scattered + "\n.loc 1 11 0\n@%p7 st.shared.u32 [tile+20], 1;");
  ASSERT_EQ(found.size(), 1u) << Describe(found);
  EXPECT_EQ(found[0].other_line, 9) << found[0].message;
}

TEST(QuickReadTest, LanesThatReadAWordWithOthersBetweenThemAreNamed) {
  const std::vector<Finding> found = Found(std::string(kByWords) +
                                           "setp.eq.u32 %p8, %r1, 2; or.pred %p8, %p8, %p4; and.pred %p8, %p8, %p1;"
                                           "@%p8 ld.shared.u32 %r5, [tile+20]; @%p6 st.shared.u32 [tile+20], 1;");
  ASSERT_EQ(found.size(), 1u) << Describe(found);
  EXPECT_EQ(found[0].thread.x, 32u);
  EXPECT_EQ(found[0].other_thread.x, 34u) << found[0].message;
}

TEST(QuickReadTest, AVolatileReadIsNotTakenForAPlainOne) {
  EXPECT_EQ(Describe(Found(std::string(kByWords) +
                           "@%p1 ld.volatile.shared.u32 %r5, [tile+20]; @%p7 red.shared.add.u32 [tile+20], 1;")),
            "");
}

TEST(QuickReadTest, AStoreToSettledWordsIsARace) {
  const std::vector<Finding> found =
      Found(".loc 1 9 0\n" + std::string(kBothRead) + ".loc 1 11 0\n@%p2 st.shared.u32 [%r2], 1;");
  ASSERT_EQ(found.size(), 1u) << Describe(found);
  EXPECT_EQ(found[0].line, 11);
}

TEST(QuickReadTest, AReadOfWordsThatNobodyWroteIsFoundWithAndWithoutTheRaceCheck) {
  for (const bool races : {false, true}) {
    for (const std::string read : {"ld.shared.u32 %r5, [%r2];", "ld.shared.u32 %r5, [tile+20];"}) {
      const std::string some = "setp.lt.u32 %p8, %t, 5; @%p8 st.shared.u32 [%r2], 1; bar.sync 0;";
      const std::vector<Finding> found = Found(some + read, true, races);
      ASSERT_EQ(found.size(), 1u) << read << Describe(found);
      EXPECT_EQ(found[0].kind, FindingKind::kUninitialisedRead);
    }
  }
}

}  // namespace
}  // namespace warpgrade::emulator
