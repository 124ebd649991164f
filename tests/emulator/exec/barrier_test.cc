// bar.sync and its kin: who is waited for, what bar.red gives, and which barriers are reported as divergent.
#include <gtest/gtest.h>

#include "tests/emulator/exec/kernel_harness.h"

namespace warpgrade::emulator {
namespace {

using Words = std::vector<uint32_t>;
constexpr const char* kScope = ".file 1 \"lab.cu\"\n.shared .align 16 .b8 tile[4096];\n";

Ran RunBarriers(const std::string& body, uint32_t threads, Words* out = nullptr, uint32_t blocks = 1) {
  KernelHarness harness;
  harness.Load(Kernel(body, kScope));
  DevicePtr at = harness.Allocate(8192);
  Ran ran = harness.Launch({blocks}, {threads}, {at});
  if (out != nullptr) *out = harness.Download<uint32_t>(at, threads);
  return ran;
}

TEST(BarrierTest, ThreadsSeeWhatOthersWroteBeforeIt) {
  Words out;
  Ran ran = RunBarriers(R"(
    mov.u32 %r1, tile; mad.lo.u32 %r2, %t, 4, %r1; st.shared.u32 [%r2], %t; bar.sync 0;
    sub.u32 %r3, %r0, %t; add.u32 %r3, %r3, -1; mad.lo.u32 %r2, %r3, 4, %r1; ld.shared.u32 %r4, [%r2]; st.global.u32 [%at0], %r4;
  )",
                        200, &out, 3);
  EXPECT_EQ(ran.status, LaunchStatus::kOk);
  EXPECT_EQ(Describe(ran.findings), "");
  for (uint32_t t = 0; t < 200; ++t) EXPECT_EQ(out[t], 199 - t);
  EXPECT_EQ(ran.counters().barriers, 3u);  // once for each block
}

TEST(BarrierTest, ExitedThreadsAreNotWaitedFor) {
  for (const char* leave : {"setp.ge.u32 %p1, %t, 40; @%p1 exit;", "setp.lt.u32 %p1, %t, 64; @%p1 exit;",
                            "setp.ge.u32 %p1, %t, 32; @%p1 bra OUT;", "setp.ge.u32 %p1, %t, 40; @%p1 bra OUT;"}) {
    Ran ran = RunBarriers(std::string(leave) + " bar.sync 0; st.global.u32 [%at0], 1; bar.sync 0; OUT:", 96);
    EXPECT_EQ(ran.status, LaunchStatus::kOk) << leave;
    EXPECT_EQ(Describe(ran.findings), "") << leave;
    EXPECT_EQ(ran.counters().barriers, 2u) << leave;
  }
}

TEST(BarrierTest, ANamedBarrierWaitsForItsCountOnly) {
  // Producer and consumer warps: the consumers of barrier 1 are 32 threads, the producers arrive without waiting.
  Words out;
  Ran ran = RunBarriers(R"(
    setp.lt.u32 %p1, %t, 32; @%p1 bra CONSUMER;
    setp.ge.u32 %p2, %t, 64; @%p2 bra OUT;
    mov.u32 %r1, tile; mad.lo.u32 %r2, %t, 4, %r1; st.shared.u32 [%r2], 9; bar.arrive 1, 64; bra OUT;
    CONSUMER: bar.sync 1, 64; mov.u32 %r1, tile; mad.lo.u32 %r2, %t, 4, %r1; ld.shared.u32 %r3, [%r2+128]; st.global.u32 [%at0], %r3;
    OUT:
  )",
                        128, &out);
  EXPECT_EQ(ran.status, LaunchStatus::kOk);
  EXPECT_EQ(Describe(ran.findings), "");
  for (uint32_t t = 0; t < 128; ++t) EXPECT_EQ(out[t], t < 32 ? 9u : 0u);
}

TEST(BarrierTest, ReductionsCountAndCombinePredicatesOfTheWholeBlock) {
  Words out;
  Ran ran = RunBarriers(R"(
    setp.lt.u32 %p1, %t, 70; bar.red.popc.u32 %r1, 0, %p1; bar.red.popc.u32 %r2, 0, !%p1;
    bar.red.and.pred %p2, 0, %p1; bar.red.or.pred %p3, 0, %p1; setp.lt.u32 %p4, %t, 1000; bar.red.and.pred %p5, 0, %p4;
    selp.u32 %r3, 1, 0, %p2; selp.u32 %r4, 2, 0, %p3; selp.u32 %r5, 4, 0, %p5; or.b32 %r3, %r3, %r4; or.b32 %r3, %r3, %r5;
    mad.lo.u32 %r1, %r1, 1000, %r2; mad.lo.u32 %r1, %r1, 10, %r3; st.global.u32 [%at0], %r1;
  )",
                        100, &out);
  EXPECT_EQ(Describe(ran.findings), "");
  for (uint32_t t = 0; t < 100; ++t) EXPECT_EQ(out[t], 700306u);
}

TEST(BarrierTest, DivergedLanesOfAWarpMayMeetAtDifferentSyncwarps) {
  Words out;
  Ran ran = RunBarriers(R"(
    mov.u32 %r1, tile; mad.lo.u32 %r2, %t, 4, %r1; st.shared.u32 [%r2], %t; and.b32 %r3, %t, 1; setp.eq.u32 %p1, %r3, 0; @%p1 bra EVEN;
    bar.warp.sync -1; ld.shared.u32 %r4, [%r2+-4]; bra OUT;
    EVEN: bar.warp.sync -1; ld.shared.u32 %r4, [%r2+4];
    OUT: st.global.u32 [%at0], %r4;
  )",
                        32, &out);
  EXPECT_EQ(ran.status, LaunchStatus::kOk);
  EXPECT_EQ(Describe(ran.findings), "");
  for (uint32_t t = 0; t < 32; ++t) EXPECT_EQ(out[t], t ^ 1);
}

TEST(BarrierTest, ABarrierThatSomeThreadsNeverReachIsNamedWithItsLine) {
  // if (tid < 40) __syncthreads(); then all of them wait at the next one.
  Ran ran = RunBarriers(
      "setp.ge.u32 %p1, %t, 40; @%p1 bra OVER;\n.loc 1 17 0\nbar.sync 0;\nOVER:\n.loc 1 19 0\nbar.sync 0;", 64);
  ASSERT_GE(ran.findings.size(), 1u);
  EXPECT_EQ(ran.findings[0].kind, FindingKind::kBarrierDivergence);
  EXPECT_TRUE(ran.findings[0].line == 17 || ran.findings[0].line == 19);
  EXPECT_EQ(ran.findings[0].file, "lab.cu");
}

TEST(BarrierTest, TwoDifferentBarriersThatMeetAreNamed) {
  Ran ran = RunBarriers(
      "setp.lt.u32 %p1, %t, 32; @%p1 bra OTHER;\n.loc 1 5 0\nbar.sync 0; bra OUT;\nOTHER:\n.loc 1 8 0\nbar.sync "
      "0;\nOUT:",
      64);
  ASSERT_EQ(ran.findings.size(), 1u);
  EXPECT_EQ(ran.findings[0].kind, FindingKind::kBarrierDivergence);
  std::string other = ran.findings[0].line == 5 ? "8" : "5";
  EXPECT_EQ(ran.findings[0].message,
            "threads of this block wait at this __syncthreads() while others wait at the one in line " + other +
                "; every thread of a block must reach the same one");
  EXPECT_EQ(ran.status, LaunchStatus::kOk);  // as on a GPU: it happens to go on
}

TEST(BarrierTest, AnUnalignedBarrierMayBeMetAtDifferentPlaces) {
  Ran ran = RunBarriers(
      "setp.lt.u32 %p1, %t, 32; @%p1 bra OTHER;\n.loc 1 5 0\nbarrier.sync 0; bra OUT;\nOTHER:\n.loc 1 8 "
      "0\nbarrier.sync 0;\nOUT:",
      64);
  EXPECT_EQ(ran.status, LaunchStatus::kOk);
  EXPECT_EQ(Describe(ran.findings), "");
}

TEST(BarrierTest, AHangAtANamedBarrierIsReportedAndEnds) {
  Ran ran = RunBarriers(".loc 1 4 0\nbar.sync 2, 128;", 64);
  EXPECT_EQ(ran.status, LaunchStatus::kLaunchTimeout);
  ASSERT_EQ(ran.findings.size(), 1u);
  EXPECT_EQ(ran.findings[0].line, 4);
  EXPECT_EQ(ran.findings[0].message,
            "64 of 128 threads of the block wait at this barrier and the others never reach it: on a GPU the kernel "
            "hangs here. Is the barrier in a branch that not every thread takes?");
}

// if (tid == 0) __syncthreads(); The other warps have ended when the hang is seen.
TEST(BarrierTest, AHangIsToldWithTheNumberOfThreadsOfTheWholeBlock) {
  Ran ran = RunBarriers(
      "setp.gt.u32 %p1, %t, 0; @%p1 bra OVER;\n.loc 1 5 0\nbar.sync 0;\nOVER:\n.loc 1 7 0\nst.global.u32 [%at0], 1;",
      128);
  ASSERT_EQ(ran.findings.size(), 1u) << Describe(ran.findings);
  EXPECT_EQ(ran.findings[0].message.substr(0, 52), "1 of 128 threads of the block wait at this barrier a");
}

// for (s = 64; s > 0; s /= 2) if (t < s) __syncthreads();
TEST(BarrierTest, ABarrierInABranchInALoopShallStayInTheLoop) {
  Ran ran = RunBarriers(
      "\n.loc 1 9 0\nmov.u32 %r8, 64; LOOP:\n.loc 1 10 0\nsetp.lt.u32 %p2, %t, %r8; @!%p2 bra SKIP;\n.loc 1 11 0\n"
      "bar.sync 0;\n.loc 1 9 0\nSKIP: shr.u32 %r8, %r8, 1; setp.ne.u32 %p1, %r8, 0; @%p1 bra LOOP;\n"
      "st.global.u32 [%at0], 0; bar.sync 1;",
      128);
  ASSERT_GE(ran.findings.size(), 1u);
  EXPECT_EQ(ran.findings[0].kind, FindingKind::kBarrierDivergence);
  EXPECT_EQ(ran.findings[0].advice,
            "move the barrier out of the branch, and leave it in the loop in line 9: all threads of the block must "
            "reach it in each iteration");
}

TEST(BarrierTest, ADivergentWarpsBarrierCountsEachLaneOnce) {
  // Half of each warp arrives, then the other half: one barrier, in a loop, 10 times.
  Ran ran = RunBarriers(R"(
    mov.u32 %r1, 0;
    LOOP: and.b32 %r2, %t, 1; setp.eq.u32 %p1, %r2, 0; @%p1 bra EVEN; barrier.sync 0; bra NEXT; EVEN: barrier.sync 0;
    NEXT: add.u32 %r1, %r1, 1; setp.lt.u32 %p2, %r1, 10; @%p2 bra LOOP;
  )",
                        128);
  EXPECT_EQ(ran.status, LaunchStatus::kOk) << Describe(ran.findings);
  EXPECT_EQ(ran.counters().barriers, 10u);
}

TEST(BarrierTest, AGuardedBarrierWaitsForItsLanesOnly) {
  Ran ran = RunBarriers("setp.lt.u32 %p1, %t, 16; @%p1 barrier.sync 3, 16; st.global.u32 [%at0], 1;", 32);
  EXPECT_EQ(ran.status, LaunchStatus::kOk) << Describe(ran.findings);
}

}  // namespace
}  // namespace warpgrade::emulator
