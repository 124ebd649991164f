// What is recorded of branches, for pictures: compared with the counters of the same launch, and with the lanes that a
// reader expects.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/emulator/exec/kernel_harness.h"

namespace warpgrade::emulator {
namespace {

using testing::ElementsAre;

DeviceOptions RecordingBranches(int host_threads) {
  DeviceOptions options = KernelHarness::OneHostThread();
  options.host_threads = host_threads;
  options.pictures = true;
  return options;
}

std::string WithLines(const std::string& body) { return Kernel(body, ".file 1 \"lab.cu\"\n"); }

const LineBranches* Find(const std::vector<LineBranches>& all, int line) {
  for (const LineBranches& one : all) {
    if (one.line == line) return &one;
  }
  return nullptr;
}

void ExpectTheCounters(const Ran& ran, const std::vector<LineBranches>& all) {
  for (const LineCounters& line : ran.record.lines) {
    const LineBranches* const recorded = Find(all, line.line);
    EXPECT_EQ(recorded == nullptr ? 0 : recorded->executed, line.counters.branches) << line.line;
    EXPECT_EQ(recorded == nullptr ? 0 : recorded->divergent, line.counters.divergent_branches) << line.line;
  }
}

// A loop with s = 1, 2, 4, 8, 16, in which the lanes that are a multiple of 2 s do some work: a reduction that is not
// written well.
constexpr const char* kInterleaved = R"(
  mov.u32 %r1, 1;
LOOP:
  .loc 1 2 0
  shl.b32 %r2, %r1, 1; sub.u32 %r3, %r2, 1; and.b32 %r3, %t, %r3; setp.ne.u32 %p1, %r3, 0;
  @%p1 bra SKIP;
  .loc 1 3 0
  ld.global.u32 %r4, [%at0]; add.u32 %r4, %r4, 1; st.global.u32 [%at0], %r4;
SKIP:
  .loc 1 4 0
  mov.u32 %r1, %r2; setp.lt.u32 %p2, %r1, 32;
  @%p2 bra LOOP;)";

TEST(BranchesTest, TheStepsOfALoopHaveTheLanesThatWork) {
  for (const int host_threads : {1, 3}) {
    KernelHarness harness(RecordingBranches(host_threads));
    harness.Load(WithLines(kInterleaved));
    const Ran ran = harness.Launch({8}, {64}, {harness.Allocate(4 * 512)});
    const std::vector<LineBranches> all = harness.device().Pictures().Branches();
    ExpectTheCounters(ran, all);
    const LineBranches* const line = Find(all, 2);
    ASSERT_NE(line, nullptr);
    EXPECT_EQ(line->divergent, 16u * 5);
    EXPECT_EQ(line->worst.divergent, 5u);
    EXPECT_EQ(line->worst.block, 0u) << "the first of those that are equally bad";
    EXPECT_EQ(line->worst.warp, 0);
    EXPECT_EQ(line->kernel, "k");
    EXPECT_EQ(line->block_size.x, 64u);
    std::vector<LaneMask> inside;
    for (const BranchStep& step : line->worst.steps) {
      inside.push_back(step.inside);
      EXPECT_EQ(step.alive, kAllLanes);
      EXPECT_EQ(step.at, kAllLanes);
    }
    EXPECT_THAT(inside, ElementsAre(0x55555555, 0x11111111, 0x01010101, 0x00010001, 0x00000001));
    const LineBranches* const back = Find(all, 4);
    ASSERT_NE(back, nullptr);
    EXPECT_EQ(back->divergent, 0u);
    ASSERT_EQ(back->worst.steps.size(), 5u);
    EXPECT_EQ(back->worst.steps[3].inside, kAllLanes) << "all lanes go on";
    EXPECT_EQ(back->worst.steps[4].inside, 0u);
  }
}

TEST(BranchesTest, LanesThatLeaveALoopWaitAndLanesThatEndAreRetired) {
  KernelHarness harness(RecordingBranches(1));
  harness.Load(WithLines(R"(
    setp.ge.u32 %p1, %t, 24; @%p1 exit;
    and.b32 %r1, %t, 3;
  LOOP:
    .loc 1 2 0
    sub.u32 %r1, %r1, 1; setp.ge.s32 %p2, %r1, 0;
    @%p2 bra LOOP;
    mov.u32 %r2, 0;)"));  // where lanes that have left wait for the others
  const Ran ran = harness.Launch({1}, {32}, {});
  const std::vector<LineBranches> all = harness.device().Pictures().Branches();
  ExpectTheCounters(ran, all);
  const LineBranches* const line = Find(all, 2);
  ASSERT_NE(line, nullptr);
  ASSERT_EQ(line->worst.steps.size(), 4u);
  const LaneMask inside[] = {0xEEEEEE, 0xCCCCCC, 0x888888, 0}, at[] = {0xFFFFFF, 0xEEEEEE, 0xCCCCCC, 0x888888};
  for (size_t step = 0; step < 4; ++step) {
    EXPECT_EQ(line->worst.steps[step].alive, 0xFFFFFFu);
    EXPECT_EQ(line->worst.steps[step].at, at[step]);
    EXPECT_EQ(line->worst.steps[step].inside, inside[step]);
  }
  EXPECT_EQ(line->divergent, 3u);
}

TEST(BranchesTest, AJumpThroughATableCountsOnce) {
  KernelHarness harness(RecordingBranches(1));
  harness.Load(WithLines(R"(
    and.b32 %r1, %t, 3;
    .loc 1 2 0
    TABLE: .branchtargets A, B, C, D;
    brx.idx %r1, TABLE;
    A: ret; B: ret; C: ret; D: ret;)"));
  const Ran ran = harness.Launch({2}, {32}, {});
  EXPECT_EQ(ran.counters().divergent_branches, 2u);
  const std::vector<LineBranches> all = harness.device().Pictures().Branches();
  const LineBranches* const line = Find(all, 2);
  ASSERT_NE(line, nullptr);
  EXPECT_EQ(line->divergent, 2u);
  EXPECT_EQ(line->worst.steps.at(0).inside, 0x11111111u);
}

TEST(BranchesTest, TheWorstWarpIsKeptHoweverManyThereAre) {
  // Only the lanes of one late block go both ways.
  KernelHarness harness(RecordingBranches(1));
  harness.Load(WithLines(R"(
    .loc 1 2 0
    setp.lt.u32 %p1, %g, 160010;
    @%p1 bra NEAR;
    st.global.u32 [%rd0], 1;
  NEAR:
    st.global.u32 [%rd0], 2;)"));
  const Ran ran = harness.Launch({6000}, {32}, {harness.Allocate(4)});
  const std::vector<LineBranches> all = harness.device().Pictures().Branches();
  const LineBranches* const line = Find(all, 2);
  ASSERT_NE(line, nullptr);
  EXPECT_EQ(line->executed, 6000u);
  EXPECT_EQ(line->divergent, 1u);
  EXPECT_EQ(line->block.x, 5000u);
  EXPECT_EQ(line->worst.steps.at(0).inside, ~0x3FFu);
}

TEST(BranchesTest, AnEndlessLoopKeepsItsFirstSteps) {
  KernelHarness harness(RecordingBranches(1));
  harness.Load(WithLines(R"(
    mov.u32 %r1, 0;
  LOOP:
    .loc 1 2 0
    add.u32 %r1, %r1, 1; setp.lt.u32 %p1, %r1, 100000;
    @%p1 bra LOOP;)"));
  harness.Launch({1}, {32}, {});
  const std::vector<LineBranches> all = harness.device().Pictures().Branches();
  EXPECT_EQ(Find(all, 2)->worst.steps.size(), BranchRecorder::kMostSteps);
  EXPECT_EQ(Find(all, 2)->worst.executed, 100000u);
}

}  // namespace
}  // namespace warpgrade::emulator
