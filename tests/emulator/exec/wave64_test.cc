// What wavefronts of 64 lanes would issue, against counts made by hand.
#include "grader/emulator/counters/wave64.h"

#include <gtest/gtest.h>

#include <string>

#include "tests/emulator/exec/kernel_harness.h"

namespace warpgrade::emulator {
namespace {

// Three instructions that count.
const std::string kThree = "add.s32 %r10, %r10, 1;\n add.s32 %r10, %r10, 2;\n add.s32 %r10, %r10, 3;\n";

// `condition` sets %p1 for the threads that execute kThree; the others jump over it. All go on
// together.
std::string SomeDoThree(const std::string& condition, const std::string& label) {
  return condition + "\n@!%p1 bra " + label + ";\n" + kThree + label + ":\nmov.u32 %r11, 0;\n";
}

Counters CountersOf(const std::string& body, uint32_t threads, int host_threads = 1, uint64_t seed = 0,
                    uint32_t blocks = 1) {
  DeviceOptions options = KernelHarness::OneHostThread();
  options.wave64 = true;
  options.host_threads = host_threads;
  options.seed = seed;
  KernelHarness harness(options);
  harness.Load(Kernel("mov.u32 %r10, 0;\n" + body + "ret;\n"));
  const Ran ran = harness.Launch({blocks}, {threads}, {0, 0, 0, 0});
  EXPECT_EQ(Describe(ran.findings), "");
  return ran.counters();
}

TEST(Wave64Test, IsNotCountedUnlessAskedFor) {
  KernelHarness harness;
  harness.Load(Kernel(kThree + "ret;\n"));
  EXPECT_EQ(harness.Launch({1}, {64}, {0, 0, 0, 0}).counters().wave64_instructions, 0u);
}

TEST(Wave64Test, TwoWarpsInStepAreOneWavefront) {
  const uint64_t one_warp = CountersOf(kThree, 32).warp_instructions;
  const Counters c = CountersOf(kThree, 64);
  EXPECT_EQ(c.warp_instructions, 2 * one_warp);
  EXPECT_EQ(c.wave64_instructions, one_warp);
  EXPECT_EQ(c.active_lane_sum, 64 * c.wave64_instructions);
}

TEST(Wave64Test, AWarpWithoutAPartnerFillsHalfAWavefront) {
  const uint64_t one_warp = CountersOf(kThree, 32).warp_instructions;
  EXPECT_EQ(CountersOf(kThree, 32).wave64_instructions, one_warp);
  const Counters three = CountersOf(kThree, 96);
  EXPECT_EQ(three.wave64_instructions, 2 * one_warp);
  EXPECT_EQ(three.active_lane_sum, 96 * one_warp) << "48 of 64 lanes on average";
}

// Lanes 0 to 31 jump: neither warp of 32 diverges, but a wavefront of 64 does.
TEST(Wave64Test, ABranchBetweenTheWarpsOfAPairIdlesHalfTheWavefront) {
  const std::string body = SomeDoThree("setp.ge.u32 %p1, %t, 32;", "$past");
  const Counters c = CountersOf(body, 64);
  EXPECT_EQ(c.divergent_branches, 0u);
  EXPECT_EQ(c.warp_instructions + 3, 2 * c.wave64_instructions) << "3 for the pair, and 3 for one of the two warps";
  EXPECT_EQ(c.active_lane_sum, 64 * (c.wave64_instructions - 3) + 32 * 3);
}

// Even lanes of both warps: both diverge, in step.
TEST(Wave64Test, ABranchThatSplitsBothWarpsAlikeCostsTheWavefrontNoMore) {
  const std::string body = SomeDoThree("and.b32 %r1, %t, 1;\n setp.eq.u32 %p1, %r1, 0;", "$past");
  const Counters c = CountersOf(body, 64);
  EXPECT_EQ(c.divergent_branches, 2u);
  EXPECT_EQ(c.warp_instructions, 2 * c.wave64_instructions);
  EXPECT_EQ(c.active_lane_sum, 64 * (c.wave64_instructions - 3) + 32 * 3);
}

// Four turns; warp 0 does three in the even ones, warp 1 in the odd ones. `between` stands at the end of each turn.
std::string TurnByTurn(const std::string& between) {
  return "mov.u32 %r1, 0;\n shr.u32 %r2, %t, 5;\n$turn:\n and.b32 %r3, %r1, 1;\n" +
         SomeDoThree("setp.eq.u32 %p1, %r2, %r3;", "$past") + between +
         "add.u32 %r1, %r1, 1;\n setp.lt.u32 %p2, %r1, 4;\n @%p2 bra $turn;\n";
}

TEST(Wave64Test, BarriersLineTheWarpsUpSoThatTurnsStandAlone) {
  const Counters c = CountersOf(TurnByTurn("bar.sync 0;\n"), 64);
  EXPECT_EQ(c.warp_instructions + 4 * 3, 2 * c.wave64_instructions) << "no turn's three are shared";
}

TEST(Wave64Test, WithoutBarriersTheCountIsALowerBound) {
  const Counters c = CountersOf(TurnByTurn(""), 64);
  EXPECT_EQ(c.warp_instructions, 2 * c.wave64_instructions) << "in truth 12 more, which only a trace would show";
}

TEST(Wave64Test, DoesNotDependOnTheOrderOfWarpsAndBlocks) {
  const std::string body = TurnByTurn("bar.sync 0;\n") + SomeDoThree("setp.ge.u32 %p1, %t, 40;", "$last");
  const Counters expected = CountersOf(body, 160, 1, 0, 20);
  for (const uint64_t seed : {1u, 2u, 3u}) {
    const Counters c = CountersOf(body, 160, 3, seed, 20);
    EXPECT_EQ(c.wave64_instructions, expected.wave64_instructions) << seed;
    EXPECT_EQ(c.active_lane_sum, expected.active_lane_sum) << seed;
  }
  EXPECT_EQ(expected.wave64_instructions, 20 * CountersOf(body, 160).wave64_instructions);
}

}  // namespace
}  // namespace warpgrade::emulator
