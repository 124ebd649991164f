// The race check on shared memory: what it must find, and what it must never call a race.
#include <gtest/gtest.h>

#include "tests/emulator/exec/kernel_harness.h"

namespace warpgrade::emulator {
namespace {

constexpr const char* kScope = ".file 1 \"lab.cu\"\n.shared .align 16 .b8 tile[4096];\n";
// %r1: the thread's own word; %r2: the word of thread (tid + 1) % ntid; %r3: of thread tid ^ 1.
constexpr const char* kAddresses = R"(
  mov.u32 %r1, tile; shl.b32 %r4, %t, 2; add.u32 %r1, %r1, %r4;
  add.u32 %r5, %t, 1; rem.u32 %r5, %r5, %r0; shl.b32 %r5, %r5, 2; mov.u32 %r2, tile; add.u32 %r2, %r2, %r5;
  xor.b32 %r5, %t, 1; shl.b32 %r5, %r5, 2; mov.u32 %r3, tile; add.u32 %r3, %r3, %r5;
)";

std::vector<Finding> Races(const std::string& body, uint32_t threads, uint32_t blocks = 1) {
  DeviceOptions options = KernelHarness::OneHostThread();
  options.checks.uninitialised = false;  // these kernels read what they like
  KernelHarness harness(options);
  harness.Load(Kernel(kAddresses + body, kScope));
  Ran ran = harness.Launch({blocks}, {threads}, {harness.Allocate(4096)});
  EXPECT_EQ(ran.status, LaunchStatus::kOk) << Describe(ran.findings);
  for (const Finding& f : ran.findings) EXPECT_EQ(f.kind, FindingKind::kSharedRace);
  return ran.findings;
}

TEST(RaceTest, AReadOfANeighboursWordWithoutABarrierIsNamedWithBothLines) {
  std::vector<Finding> found =
      Races(".loc 1 10 0\nst.shared.u32 [%r1], %t;\n.loc 1 11 0\nld.shared.u32 %r6, [%r2];", 64);
  ASSERT_GE(found.size(), 1u);
  EXPECT_EQ(found[0].line, 11);
  EXPECT_EQ(found[0].file, "lab.cu");
  EXPECT_EQ(found[0].access_bytes, 4);
  EXPECT_EQ(found[0].message.substr(0, 5), "read ");
  EXPECT_NE(found[0].message.find("wrote in line 10, with no __sync"), std::string::npos) << found[0].message;
}

TEST(RaceTest, ABarrierOrdersEverything) {
  EXPECT_EQ(Races("st.shared.u32 [%r1], %t; bar.sync 0; ld.shared.u32 %r6, [%r2]; bar.sync 0; st.shared.u32 [%r1], 7;",
                  128, 3)
                .size(),
            0u);
}

TEST(RaceTest, AMissingBarrierBeforeTheNextWriteIsFound) {
  std::vector<Finding> found = Races(
      "st.shared.u32 [%r1], %t; bar.sync 0;\n.loc 1 20 0\nld.shared.u32 %r6, [%r2];\n.loc 1 21 0\nst.shared.u32 [%r1], "
      "7;",
      64);
  // The write after a neighbour's read, and the read after a neighbour's write: one pair of lines.
  ASSERT_EQ(found.size(), 1u) << Describe(found);
  const Finding& write = found[0];
  EXPECT_EQ(write.other_line, 20);
  EXPECT_EQ(write.line, 21);
  EXPECT_NE(write.message.find("read in line 20, with no __sync"), std::string::npos) << write.message;
}

TEST(RaceTest, WithinAWarpASyncwarpIsNeededAndIsEnough) {
  std::string with = "st.shared.u32 [%r1], %t; bar.warp.sync -1; ld.shared.u32 %r6, [%r3];";
  std::string without = "st.shared.u32 [%r1], %t; ld.shared.u32 %r6, [%r3];";
  EXPECT_EQ(Races(with, 64).size(), 0u);
  std::vector<Finding> found = Races(without, 32);
  ASSERT_EQ(found.size(), 1u);
  EXPECT_NE(found[0].message.find("with no __syncwarp()"), std::string::npos) << found[0].message;
}

TEST(RaceTest, ASyncwarpDoesNotOrderOtherWarps) {
  EXPECT_GE(Races("st.shared.u32 [%r1], %t; bar.warp.sync -1; ld.shared.u32 %r6, [%r2];", 64).size(), 1u);
}

TEST(RaceTest, TwoWarpsThatWriteOneWordRace) { EXPECT_EQ(Races("st.shared.u32 [tile], %t;", 64).size(), 1u); }

TEST(RaceTest, ReadersDoNotRace) {
  EXPECT_EQ(Races("ld.shared.u32 %r6, [tile]; ld.shared.u32 %r6, [%r2];", 256).size(), 0u);
}

TEST(RaceTest, AtomicsDoNotRaceWithEachOtherButDoWithPlainAccesses) {
  EXPECT_EQ(Races("atom.shared.add.u32 %r6, [tile], 1; red.shared.max.u32 [tile], 3;", 128).size(), 0u);
  EXPECT_GE(Races("atom.shared.add.u32 %r6, [tile], 1; ld.shared.u32 %r6, [tile];", 128).size(), 1u);
}

TEST(RaceTest, BytesOfOneWordBelongToTheirOwnThreads) {
  // char s[256]: s[tid] = x; x = s[tid]; s[tid] = x + 1: four threads share each word but no byte.
  EXPECT_EQ(Races(R"(
    mov.u32 %r7, tile; add.u32 %r7, %r7, %t; st.shared.u8 [%r7], %t; ld.shared.u8 %r6, [%r7]; st.shared.u8 [%r7], %r6;
  )",
                  256)
                .size(),
            0u);
}

TEST(RaceTest, BytesOfOneWordReadByDifferentWarpsDoNotRace) {
  // Thread t owns byte (t * 32) % 128 + t / 4 ...: the four bytes of a word belong to four warps.
  EXPECT_EQ(Races(R"(
    and.b32 %r7, %t, 31; shl.b32 %r7, %r7, 2; shr.u32 %r8, %t, 5; add.u32 %r7, %r7, %r8; mov.u32 %r8, tile; add.u32 %r7, %r7, %r8;
    ld.shared.u8 %r6, [%r7]; bar.warp.sync -1; st.shared.u8 [%r7], %r6;
  )",
                  128)
                .size(),
            0u);
}

TEST(RaceTest, AnEarlierReadBeforeASyncwarpIsOrdered) {
  // v = s[tid ^ 1]; __syncwarp(); s[tid] = s[tid] + v;
  EXPECT_EQ(Races("ld.shared.u32 %r6, [%r3]; bar.warp.sync -1; ld.shared.u32 %r7, [%r1]; add.u32 %r7, %r7, %r6; "
                  "st.shared.u32 [%r1], %r7;",
                  32)
                .size(),
            0u);
}

TEST(RaceTest, TheWarpSynchronousLastStepsOfAReductionNeedSyncwarps) {
  // if (tid < 16) s[tid] += s[tid + 16] and so on in one warp: without __syncwarp a race, with it between read and
  // write none.
  std::string fixed, broken;
  for (int stride : {16, 8, 4, 2, 1}) {
    std::string at = "[%r1+" + std::to_string(4 * stride) + "]";
    fixed += "ld.shared.u32 %r6, " + at +
             "; ld.shared.u32 %r7, [%r1]; add.u32 %r6, %r6, %r7; bar.warp.sync -1; st.shared.u32 [%r1], %r6; "
             "bar.warp.sync -1;\n";
    broken +=
        "ld.shared.u32 %r6, " + at + "; ld.shared.u32 %r7, [%r1]; add.u32 %r6, %r6, %r7; st.shared.u32 [%r1], %r6;\n";
  }
  EXPECT_EQ(Races(fixed, 32).size(), 0u);
  EXPECT_GE(Races(broken, 32).size(), 1u);
}

TEST(RaceTest, AnEarlierBlockOfTheSameHostThreadLeavesNoTraces) {
  EXPECT_EQ(Races("st.shared.u32 [%r1], %t; bar.sync 0; ld.shared.u32 %r6, [%r2];", 64, 50).size(), 0u);
  EXPECT_EQ(Races("ld.shared.u32 %r6, [%r2];", 64, 50).size(), 0u);
}

TEST(RaceTest, IsNotLookedForWhenChecksAreOff) {
  DeviceOptions options = KernelHarness::OneHostThread();
  options.checks = false;
  KernelHarness harness(options);
  harness.Load(Kernel("st.shared.u32 [tile], %t;", kScope));
  EXPECT_EQ(Describe(harness.Launch({1}, {64}, {}).findings), "");
}

TEST(RaceTest, VectorAccessesCoverAllTheirWords) {
  std::vector<Finding> found = Races(R"(
    mov.u32 %r7, tile; shl.b32 %r8, %t, 4; add.u32 %r7, %r7, %r8; st.shared.v4.u32 [%r7], {%t, %t, %t, %t};
    ld.shared.u32 %r6, [%r7+12]; ld.shared.u32 %r6, [%r7+28];
  )",
                                     32);
  EXPECT_EQ(found.size(), 1u);
}

}  // namespace
}  // namespace warpgrade::emulator
