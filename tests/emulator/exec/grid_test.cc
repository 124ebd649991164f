// Blocks that wait for each other: look-back flags, ticket orders, cooperative grid sync.
#include <gtest/gtest.h>
#include <immintrin.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <set>

#include "tests/emulator/exec/kernel_harness.h"

namespace warpgrade::emulator {
namespace {

class GridTest : public ::testing::TestWithParam<int> {
 protected:
  DeviceOptions Options() {
    DeviceOptions options = KernelHarness::OneHostThread();
    options.host_threads = GetParam();
    return options;
  }
};

// Block b waits for block b - 1's flag, then publishes b's own sum: decoupled look-back at its barest.
TEST_P(GridTest, ABlockMayWaitForTheOneBeforeIt) {
  KernelHarness harness(Options());
  harness.Load(Kernel(R"(
    mov.u32 %r1, %ctaid.x; setp.ne.u32 %p1, %t, 0; @%p1 bra JOIN; mov.u32 %r4, 0; setp.eq.u32 %p2, %r1, 0; @%p2 bra FIRST;
    mul.wide.u32 %rd4, %r1, 8; add.u64 %rd4, %rd4, %rd0;
    WAIT: ld.acquire.gpu.global.u32 %r2, [%rd4+-8]; setp.eq.u32 %p3, %r2, 0; @%p3 bra WAIT; ld.global.u32 %r4, [%rd4+-4];
    FIRST: mul.wide.u32 %rd4, %r1, 8; add.u64 %rd4, %rd4, %rd0; add.u32 %r4, %r4, %r1; st.global.u32 [%rd4+4], %r4;
    fence.acq_rel.gpu; st.release.gpu.global.u32 [%rd4], 1;
    JOIN: bar.sync 0;
  )"));
  const uint32_t blocks = 300;
  DevicePtr out = harness.Allocate(8 * blocks);
  Ran ran = harness.Launch({blocks}, {64}, {out});
  EXPECT_EQ(ran.status, LaunchStatus::kOk) << Describe(ran.findings);
  std::vector<uint32_t> got = harness.Download<uint32_t>(out, 2 * blocks);
  for (uint32_t b = 0; b < blocks; ++b) ASSERT_EQ(got[2 * b + 1], b * (b + 1) / 2);
}

// The other way round: early blocks wait for late ones, which only works while all of them fit on the device.
TEST_P(GridTest, EarlyBlocksMayWaitForLateOnes) {
  KernelHarness harness(Options());
  harness.Load(Kernel(R"(
    setp.ne.u32 %p1, %t, 0; @%p1 bra JOIN; red.release.gpu.global.add.u32 [%rd0], 1;
    WAIT: ld.acquire.gpu.global.u32 %r2, [%rd0]; setp.lt.u32 %p3, %r2, 100; @%p3 bra WAIT;
    JOIN: bar.sync 0; red.global.add.u32 [%rd0+4], 1;
  )"));
  DevicePtr out = harness.Allocate(8);
  Ran ran = harness.Launch({100}, {64}, {out});
  EXPECT_EQ(ran.status, LaunchStatus::kOk) << Describe(ran.findings);
  EXPECT_EQ(harness.Download<uint32_t>(out, 2), (std::vector<uint32_t>{100, 6400}));
}

TEST_P(GridTest, TheGridWorkspaceOfACooperativeLaunchIsFreshAndShared) {
  // What cooperative groups do: the workspace address is in %envreg1 (high) and %envreg2.
  KernelHarness harness(Options());
  harness.Load(Kernel(R"(
    mov.u32 %r1, %envreg1; mov.u32 %r2, %envreg2; mov.b64 %rd4, {%r2, %r1}; mov.u32 %r3, %nctaid.x;
    bar.sync 0; setp.ne.u32 %p1, %t, 0; @%p1 bra JOIN;
    atom.add.release.gpu.u32 %r5, [%rd4+4], 1;
    WAIT: ld.acquire.gpu.u32 %r6, [%rd4+4]; setp.lt.u32 %p2, %r6, %r3; @%p2 bra WAIT;
    JOIN: bar.sync 0; red.global.add.u32 [%rd0], 1;
  )"));
  DevicePtr out = harness.Allocate(4);
  for (int launch = 1; launch <= 2; ++launch) {
    Ran ran = harness.Launch({200}, {128}, {out}, 0, true);
    EXPECT_EQ(ran.status, LaunchStatus::kOk) << Describe(ran.findings);
    EXPECT_TRUE(ran.record.cooperative);
    EXPECT_EQ(harness.Download<uint32_t>(out, 1)[0], 200u * 128 * static_cast<uint32_t>(launch));
  }
}

// The memory of registers is kept from launch to launch. 32 blocks: on both host threads.
TEST_P(GridTest, ARegisterThatIsNotWrittenDoesNotHoldWhatAnEarlierLaunchWroteThere) {
  KernelHarness harness(Options());
  harness.Load(Kernel("setp.ne.u64 %p1, %rd1, 0; @%p1 mov.u32 %r9, 7; red.global.add.u32 [%rd0], %r9;"));
  DevicePtr out = harness.Allocate(4);
  ASSERT_EQ(harness.Launch({32}, {64}, {out, 1}).status, LaunchStatus::kOk);
  ASSERT_EQ(harness.Download<uint32_t>(out, 1)[0], 32u * 64 * 7);
  ASSERT_EQ(harness.Launch({32}, {64}, {out, 0}).status, LaunchStatus::kOk);
  EXPECT_EQ(harness.Download<uint32_t>(out, 1)[0], 32u * 64 * 7);
}

// Some instructions at its start give the same results in each block, so they are left out in later blocks. Of the
// others some look like these: their registers are written again, under a guard or not, or they use the carry.
TEST_P(GridTest, ABlockFindsNothingInItsRegistersThatDiffersFromBlockToBlock) {
  KernelHarness harness(Options());
  harness.Load(Kernel(R"(
    setp.lt.u32 %p1|%p2, %t, 20; mov.u32 %r1, 7; mov.u32 %r2, %laneid; mov.b64 %rd10, {%r2, %r0}; mov.u32 %r3, 1;
    mov.u32 %r4, %ctaid.x; mad.lo.u32 %r5, %r4, 100, %t; add.cc.u32 %r6, %t, -1; addc.u32 %r7, 0, 0; bra NEXT;
    NEXT: add.u32 %r1, %r1, %r4; @%p1 mov.u32 %r3, %r5; mov.b64 {%r8, %r9}, %rd10;
    add.u32 %r1, %r1, %r3; mad.lo.u32 %r1, %r5, 3, %r1; mad.lo.u32 %r1, %r8, 5, %r1; mad.lo.u32 %r1, %r9, 7, %r1;
    add.u32 %r1, %r1, %r7; @%p2 add.u32 %r1, %r1, 1000000; st.global.u32 [%at0], %r1;
  )"));
  constexpr uint32_t kBlocks = 5, kThreads = 48;
  for (int launch = 0; launch < 2; ++launch) {
    const DevicePtr out = harness.Allocate(uint64_t{4} * kBlocks * kThreads);
    const Ran ran = harness.Launch({kBlocks}, {kThreads}, {out});
    EXPECT_EQ(ran.status, LaunchStatus::kOk) << Describe(ran.findings);
    const std::vector<uint32_t> got = harness.Download<uint32_t>(out, size_t{kBlocks} * kThreads);
    for (uint32_t b = 0; b < kBlocks; ++b) {
      for (uint32_t t = 0; t < kThreads; ++t) {
        const uint32_t own = 100 * b + t, once = t < 20 ? own : 1;
        ASSERT_EQ(got[b * kThreads + t],
                  7 + b + once + 3 * own + 5 * (t % 32) + 7 * kThreads + (t > 0 ? 1 : 0) + (t < 20 ? 0 : 1000000));
      }
    }
    const Ran one = harness.Launch({1}, {kThreads}, {out});
    EXPECT_EQ(ran.counters().warp_instructions, kBlocks * one.counters().warp_instructions);
    EXPECT_EQ(ran.counters().thread_instructions, kBlocks * one.counters().thread_instructions);
  }
}

TEST_P(GridTest, TheNextLaunchRunsOnTheSameHostThreads) {
  auto threads = [] {
    std::set<std::filesystem::path> found;
    for (const auto& thread : std::filesystem::directory_iterator("/proc/self/task")) found.insert(thread.path());
    return found;
  };
  KernelHarness harness(Options());
  harness.Load(Kernel(""));
  ASSERT_EQ(harness.Launch({32}, {64}, {}).status, LaunchStatus::kOk);
  const std::set<std::filesystem::path> before = threads();
  ASSERT_EQ(harness.Launch({32}, {64}, {}).status, LaunchStatus::kOk);
  const std::set<std::filesystem::path> after = threads();
  EXPECT_GE(after.size(), static_cast<size_t>(GetParam()));
  EXPECT_TRUE(std::includes(before.begin(), before.end(), after.begin(), after.end()));
}

TEST_P(GridTest, AForkedChildMayLaunchToo) {
  KernelHarness harness(Options());
  harness.Load(Kernel("red.global.add.u32 [%rd0], 1;"));
  DevicePtr out = harness.Allocate(4);
  ASSERT_EQ(harness.Launch({32}, {64}, {out}).status, LaunchStatus::kOk);
  const pid_t child = fork();
  if (child == 0) {
    alarm(20);
    const bool ran = harness.Launch({32}, {64}, {out}).status == LaunchStatus::kOk;
    _exit(ran && harness.Download<uint32_t>(out, 1)[0] == 2 * 32 * 64 ? 0 : 1);
  }
  int status = 0;
  ASSERT_EQ(waitpid(child, &status, 0), child);
  EXPECT_EQ(status, 0);
}

// A host program may round and flush as it likes; a GPU knows nothing of that.
TEST_P(GridTest, TheHostsRoundingAndFlushingAreNotTheKernels) {
  KernelHarness harness(Options());
  harness.Load(Kernel(R"(
    add.f32 %f1, 0f3F800000, 0f2EDBE6FF; mov.b32 %r1, %f1; atom.global.max.u32 %r2, [%rd0], %r1;
    mov.b32 %f2, 0x000116C2; mul.f32 %f2, %f2, 0f3F800000; mov.b32 %r3, %f2; atom.global.min.u32 %r4, [%rd0+4], %r3;
  )"));
  DevicePtr out = harness.Upload<uint32_t>({0, ~0u});
  const unsigned before = _mm_getcsr();
  _mm_setcsr(before | 0x8040 | 0x4000);  // denormals are zero and flushed, rounding is upwards
  const Ran ran = harness.Launch({32}, {64}, {out});
  const unsigned after = _mm_getcsr();
  _mm_setcsr(before);
  EXPECT_EQ(ran.status, LaunchStatus::kOk) << Describe(ran.findings);
  EXPECT_EQ(after & 0xE040, 0x8040u | 0x4000u) << "the host's own way has to stay";
  EXPECT_EQ(harness.Download<uint32_t>(out, 2), (std::vector<uint32_t>{0x3F800000, 0x000116C2}));
}

INSTANTIATE_TEST_SUITE_P(HostThreads, GridTest, ::testing::Values(1, 2));

TEST(CooperativeLaunchTest, MoreBlocksThanAreResidentAreRefused) {
  KernelHarness harness;
  harness.Load(Kernel(""));
  EXPECT_EQ(harness.Launch({132 * 2}, {1024}, {}, 0, true).status, LaunchStatus::kOk);
  EXPECT_EQ(harness.Launch({132 * 2 + 1}, {1024}, {}, 0, true).status, LaunchStatus::kCooperativeTooLarge);
  EXPECT_EQ(harness.Launch({132 * 2 + 1}, {1024}, {}).status, LaunchStatus::kOk);
}

}  // namespace
}  // namespace warpgrade::emulator
