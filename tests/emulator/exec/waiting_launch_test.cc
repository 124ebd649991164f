// Launches that wait for memory which others write while they do not run (LaunchRequest::may_wait).
#include <gtest/gtest.h>

#include <cstring>

#include "tests/emulator/exec/kernel_harness.h"

namespace warpgrade::emulator {
namespace {

constexpr const char* kFile = ".file 1 \"lab.cu\"\n";
// Every thread writes 1 to its element of p1, waits until p0[0] is not 0, and writes 2.
constexpr const char* kWaitLoop =
    "st.global.u32 [%at1], 1;\n.loc 1 7 0\nWAIT: ld.volatile.global.u32 %r1, [%rd0]; setp.eq.u32 %p1, %r1, 0;"
    "@%p1 bra WAIT;\n.loc 1 8 0\nst.global.u32 [%at1], 2;";
// The same, with a loop that is not known to be one that waits.
constexpr const char* kOtherLoop =
    "st.global.u32 [%at1], 1;\n.loc 1 7 0\nWAIT: ld.volatile.global.u32 %r1, [%rd0]; setp.ne.u32 %p1, %r1, 0;"
    "@%p1 bra DONE; bra WAIT;\nDONE: st.global.u32 [%at1], 2;";

class WaitingLaunchTest : public testing::TestWithParam<int> {  // host threads
 protected:
  static DeviceOptions Options() {
    DeviceOptions options;
    options.host_threads = GetParam();
    return options;
  }
  LaunchStatus Launch(const char* body, uint32_t blocks = 5) {
    harness_.Load(Kernel(body, kFile));
    flag_ = harness_.Allocate(4, "flag");
    out_ = harness_.Allocate(blocks * 64 * 4, "out");
    LaunchRequest request;
    request.kernel = harness_.kernel();
    request.grid = {blocks};
    request.block = {64};
    request.parameters.resize(32);
    const uint64_t parameters[] = {flag_, out_};
    std::memcpy(request.parameters.data(), parameters, sizeof parameters);
    request.may_wait = true;
    request.touched = &touched_;
    return device().Launch(request);
  }
  LaunchStatus Continue(bool alone = false) { return device().Continue(device().Waiting().id, alone, &touched_); }
  void Raise() {
    const uint32_t one = 1;
    ASSERT_TRUE(device().CopyToDevice(flag_, &one, 4).ok());
  }
  void ExpectAll(uint32_t value) {
    const std::vector<uint32_t> out = harness_.Download<uint32_t>(out_, 5 * 64);
    EXPECT_EQ(out, std::vector<uint32_t>(5 * 64, value));
  }
  Device& device() { return harness_.device(); }

  KernelHarness harness_{Options()};
  DevicePtr flag_ = 0, out_ = 0;
  TouchedBytes touched_;
};
INSTANTIATE_TEST_SUITE_P(HostThreads, WaitingLaunchTest, testing::Values(1, 3), testing::PrintToStringParamName());

TEST_P(WaitingLaunchTest, GoesOnWhereItStopped) {
  for (const char* loop : {kWaitLoop, kOtherLoop}) {
    ASSERT_EQ(Launch(loop), LaunchStatus::kWaits);
    EXPECT_TRUE(device().Waiting().wrote);
    ExpectAll(1);
    EXPECT_EQ(Continue(), LaunchStatus::kWaits);
    EXPECT_FALSE(device().Waiting().wrote);
    EXPECT_TRUE(device().Launches().empty()) << "it is not over";
    Raise();
    EXPECT_EQ(Continue(), LaunchStatus::kOk);
    ExpectAll(2);
    EXPECT_TRUE(device().Findings().empty());
    ASSERT_EQ(device().Launches().size(), 1u);
    EXPECT_EQ(touched_.writes.all(), (std::vector<ByteRange>{{out_, out_ + 5 * 64 * 4}}));
    EXPECT_EQ(touched_.strong_reads.all(), (std::vector<ByteRange>{{flag_, flag_ + 4}}));
    device().ResetObservations();
  }
}

TEST_P(WaitingLaunchTest, CountsAsIfItHadNotWaited) {
  ASSERT_EQ(Launch(kWaitLoop), LaunchStatus::kWaits);
  Raise();
  ASSERT_EQ(Continue(), LaunchStatus::kOk);
  const Ran at_once = harness_.Launch({5}, {64}, {flag_, out_});
  ASSERT_EQ(device().Launches().size(), 1u);
  EXPECT_EQ(at_once.counters().thread_instructions, device().Launches()[0].counters.thread_instructions);
}

TEST_P(WaitingLaunchTest, OthersRunMeanwhileAndDoNotRaceWithIt) {
  ASSERT_EQ(Launch(kWaitLoop), LaunchStatus::kWaits);
  const LaunchId waiting = device().Waiting().id;
  const DevicePtr flag = flag_, out = out_;
  harness_.Load(Kernel("st.global.u32 [%at0], %g; mov.u32 %r1, 1; st.volatile.global.u32 [%rd1], %r1;"));
  const Ran other = harness_.Launch({1}, {32}, {out, flag});
  EXPECT_EQ(other.status, LaunchStatus::kOk);
  EXPECT_TRUE(other.findings.empty()) << Describe(other.findings);
  EXPECT_EQ(device().Continue(waiting, false, &touched_), LaunchStatus::kOk);
  ExpectAll(2);
  EXPECT_TRUE(device().Findings().empty()) << Describe(device().Findings());
}

TEST_P(WaitingLaunchTest, FindsThatMemoryWasFreedWhileItWaited) {
  ASSERT_EQ(Launch(kWaitLoop), LaunchStatus::kWaits);
  ASSERT_TRUE(device().Free(out_).ok());
  Raise();
  EXPECT_EQ(Continue(), LaunchStatus::kIllegalAddress);
  ASSERT_FALSE(device().Findings().empty());
  EXPECT_EQ(device().Findings()[0].kind, FindingKind::kUseAfterFree);
}

TEST_P(WaitingLaunchTest, IsADeadlockWhenNobodyIsLeft) {
  ASSERT_EQ(Launch(kWaitLoop), LaunchStatus::kWaits);
  EXPECT_EQ(Continue(/*alone=*/true), LaunchStatus::kLaunchTimeout);
  ASSERT_EQ(device().Findings().size(), 1u);
  EXPECT_EQ(device().Findings()[0].kind, FindingKind::kDeadlock);
  EXPECT_EQ(device().Findings()[0].line, 7);
  EXPECT_EQ(Continue(), LaunchStatus::kInvalidConfiguration) << "it is over";
}

TEST_P(WaitingLaunchTest, IsAnEndlessLoopWhenNobodyIsLeft) {
  ASSERT_EQ(Launch(kOtherLoop), LaunchStatus::kWaits);
  EXPECT_EQ(Continue(/*alone=*/true), LaunchStatus::kLaunchTimeout);
  ASSERT_EQ(device().Findings().size(), 1u);
  EXPECT_EQ(device().Findings()[0].kind, FindingKind::kEndlessLoop);
  EXPECT_EQ(device().Findings()[0].line, 7);
}

// What it did stays done, so it counts.
TEST_P(WaitingLaunchTest, CountsAsALaunchWhenItIsAbandoned) {
  ASSERT_EQ(Launch(kWaitLoop), LaunchStatus::kWaits);
  TouchedBytes touched;
  EXPECT_TRUE(device().Abandon(device().Waiting().id, &touched));
  EXPECT_FALSE(device().Abandon(device().Waiting().id, &touched)) << "it is over";
  EXPECT_EQ(Continue(), LaunchStatus::kInvalidConfiguration);
  ASSERT_EQ(device().Launches().size(), 1u);
  EXPECT_GT(device().Launches()[0].counters.warp_instructions, 0u);
  EXPECT_TRUE(device().Findings().empty());
  EXPECT_EQ(touched.writes.all(), (std::vector<ByteRange>{{out_, out_ + 5 * 64 * 4}}));
  EXPECT_EQ(Launch("st.global.u32 [%at1], 3;"), LaunchStatus::kOk) << "the device is as before";
}

TEST(WaitingLaunchBudgetTest, GoingOnInVainCostsInstructions) {
  DeviceOptions options = KernelHarness::OneHostThread();
  options.total_instruction_budget = 1'000'000;
  KernelHarness harness(options);
  harness.Load(Kernel(kWaitLoop, kFile));
  LaunchRequest request;
  request.kernel = harness.kernel();
  request.grid = request.block = {1};
  request.parameters.resize(32);
  const uint64_t parameters[] = {harness.Allocate(4), harness.Allocate(4)};
  std::memcpy(request.parameters.data(), parameters, sizeof parameters);
  request.may_wait = true;
  LaunchStatus status = harness.device().Launch(request);
  for (int k = 0; k < 1000 && status == LaunchStatus::kWaits; ++k) {
    status = harness.device().Continue(harness.device().Waiting().id, false, nullptr);
  }
  EXPECT_EQ(status, LaunchStatus::kLaunchTimeout);
}

}  // namespace
}  // namespace warpgrade::emulator
