// Wavefronts of 64 lanes: lock step, exchanges over both halves, counts of a wavefront, and what is refused.
#include "grader/emulator/machine/wave.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "tests/emulator/exec/kernel_harness.h"

namespace warpgrade::emulator {
namespace {

constexpr const char* kMarker = ".const .align 4 .u32 warpgrade_wavefront_lanes = 64;\n";
constexpr const char* kTile = ".file 1 \"lab.hip\"\n.shared .align 16 .b8 tile[4096];\n";
// %r1: the address of the thread's own word of the tile.
constexpr const char* kOwnWord = "mov.u32 %r1, tile; shl.b32 %r2, %t, 2; add.u32 %r1, %r1, %r2;\n";

DeviceOptions WaveOptions(uint64_t seed = 0, int host_threads = 1) {
  DeviceOptions options = KernelHarness::OneHostThread();
  options.runs_wave64 = true;
  options.seed = seed;
  options.host_threads = host_threads;
  return options;
}

struct WaveRun {
  Ran ran;
  std::vector<uint32_t> output;  // a word of each thread
};

WaveRun RunKernel(const std::string& body, uint32_t threads, uint32_t blocks = 1, const std::string& marker = kMarker,
                  const DeviceOptions& options = WaveOptions()) {
  KernelHarness harness(options);
  harness.Load(Kernel(kOwnWord + body, std::string(kTile) + marker));
  const size_t count = size_t{threads} * blocks;
  const DevicePtr out = harness.Allocate(count * 4);
  WaveRun run;
  run.ran = harness.Launch({blocks}, {threads}, {out});
  run.output = harness.Download<uint32_t>(out, count);
  return run;
}

// The same, of a kernel without a fault.
WaveRun RunRight(const std::string& body, uint32_t threads, uint32_t blocks = 1) {
  WaveRun run = RunKernel(body, threads, blocks);
  EXPECT_EQ(run.ran.status, LaunchStatus::kOk);
  EXPECT_EQ(Describe(run.ran.findings), "");
  return run;
}

std::string Shuffle(const std::string& source) {
  return "shfl.sync.idx.b32 %r10, %t, " + source + ", 0x1f, " + std::to_string(kWaveMembers) + ";\n";
}
const std::string kStore10 = "st.global.u32 [%at0], %r10;\n";

// The last wavefront of a textbook's reduction: each thread of 64 adds the words at distance 64, 32, ... 1 to its own.
std::string LastWave(const std::string& access) {
  std::string body = "st.shared.u32 [%r1], %t;\n bar.sync 0;\n setp.ge.u32 %p1, %t, 64;\n @%p1 bra $done;\n";
  for (const int distance : {64, 32, 16, 8, 4, 2, 1}) {
    if (distance == 32) body += "setp.ge.u32 %p1, %t, 32;\n @%p1 bra $done;\n";
    body += ".loc 1 " + std::to_string(100 + distance) + " 0\n";
    body += "ld" + access + ".u32 %r3, [%r1];\n ld" + access + ".u32 %r4, [%r1+" + std::to_string(4 * distance) +
            "];\n add.u32 %r3, %r3, %r4;\n st" + access + ".u32 [%r1], %r3;\n";
  }
  return body + "$done:\n ld.shared.u32 %r5, [%r1];\n st.global.u32 [%at0], %r5;\n";
}

TEST(WaveTest, VolatileAccessesWithoutABarrierAreOrderedByLockStep) {
  const WaveRun run = RunRight(LastWave(".volatile.shared"), 128);
  EXPECT_EQ(run.output[0], 127u * 128 / 2);
  EXPECT_EQ(run.ran.record.wave_lanes, 64);
}

TEST(WaveTest, TheSameAccessesRaceInWarpsOf32Lanes) {
  const WaveRun run = RunKernel(LastWave(".volatile.shared"), 128, 1, "");
  ASSERT_FALSE(run.ran.findings.empty());
  for (const Finding& f : run.ran.findings) EXPECT_EQ(f.kind, FindingKind::kSharedRace);
  EXPECT_EQ(run.ran.record.wave_lanes, 32);
}

TEST(WaveTest, PlainAccessesRaceBecauseTheCompilerMayMoveThem) {
  const WaveRun run = RunKernel(LastWave(".shared"), 128);
  ASSERT_FALSE(run.ran.findings.empty());
  EXPECT_EQ(run.ran.findings[0].kind, FindingKind::kSharedRace);
  EXPECT_EQ(run.ran.findings[0].message.find("__syncwarp"), std::string::npos) << "HIP has none";
}

TEST(WaveTest, AFenceOrdersPlainAccessesOfAWavefront) {
  const std::string exchange =
      "st.shared.u32 [%r1], %t;\n membar.cta;\n xor.b32 %r3, %t, 33;\n shl.b32 %r3, %r3, 2;\n mov.u32 %r4, tile;\n"
      "add.u32 %r4, %r4, %r3;\n ld.shared.u32 %r10, [%r4];\n" +
      kStore10;
  const WaveRun run = RunRight(exchange, 64);
  for (uint32_t t = 0; t < 64; ++t) EXPECT_EQ(run.output[t], t ^ 33);
  EXPECT_FALSE(RunKernel(exchange, 64, 1, "").ran.findings.empty()) << "in warps of 32 lanes it orders nothing";
}

TEST(WaveTest, DifferentWavefrontsRaceAsEver) {
  DeviceOptions options = WaveOptions();
  options.checks.uninitialised = false;  // the first wavefront reads what the second has not written yet
  const WaveRun run = RunKernel("st.volatile.shared.u32 [%r1], %t;\n xor.b32 %r3, %r1, 256;\n" +
                                    std::string("ld.volatile.shared.u32 %r10, [%r3];\n") + kStore10,
                                128, 1, kMarker, options);
  ASSERT_FALSE(run.ran.findings.empty());
  EXPECT_EQ(run.ran.findings[0].kind, FindingKind::kSharedRace);
}

TEST(WaveTest, AShuffleTakesValuesFromBothHalves) {
  const WaveRun run = RunRight("add.u32 %r3, %t, 33;\n" + Shuffle("%r3") + kStore10, 256);
  for (uint32_t t = 0; t < 256; ++t) EXPECT_EQ(run.output[t], (t & ~63u) + (t + 33) % 64);
  EXPECT_EQ(run.ran.counters().shuffles, 4u) << "one of each wavefront";
}

TEST(WaveTest, AShuffleFromALaneThatIsElsewhereIsFound) {
  const WaveRun away = RunKernel(
      "mov.u32 %r3, 40;\n mov.u32 %r10, 0;\n setp.ge.u32 %p1, %t, 32;\n @%p1 bra $on;\n" + Shuffle("%r3") + "$on:\n",
      64);
  ASSERT_EQ(away.ran.findings.size(), 1u);
  EXPECT_EQ(away.ran.findings[0].kind, FindingKind::kBadShuffleMask);
  EXPECT_NE(away.ran.findings[0].message.find("lane 40, which does not take part in this shuffle (it is in another"),
            std::string::npos)
      << away.ran.findings[0].message;
  const WaveRun small = RunKernel("mov.u32 %r3, 40;\n" + Shuffle("%r3"), 32);
  ASSERT_EQ(small.ran.findings.size(), 1u);
  EXPECT_NE(small.ran.findings[0].message.find("it does not exist"), std::string::npos);
}

TEST(WaveTest, VotesAndBallotsSpan64Lanes) {
  const auto vote = [](const std::string& which, uint32_t mask) {
    return "setp.gt.u32 %p1, %t, 62;\n vote.sync." + which + ", %p1, " + std::to_string(mask) + ";\n";
  };
  const std::string any = "selp.u32 %r10, 1, 0, %p2;\n" + kStore10;
  EXPECT_EQ(RunRight(vote("any.pred %p2", kWaveMembers) + any, 64).output[0], 1u) << "lane 63 is in the other half";
  EXPECT_EQ(RunRight(vote("all.pred %p2", kWaveMembers) + any, 64).output[63], 0u);
  EXPECT_EQ(RunRight("setp.lt.u32 %p1, %t, 64;\n" + vote("all.pred %p2", kWaveMembers).substr(24) + any, 64).output[5],
            1u);
  EXPECT_EQ(RunRight(vote("ballot.b32 %r10", kWaveBallotLow) + kStore10, 64).output[63], 0u);
  EXPECT_EQ(RunRight(vote("ballot.b32 %r10", kWaveBallotHigh) + kStore10, 64).output[0], 0x80000000u);
}

TEST(WaveTest, LanesHaveNumbersUpTo63) {
  const WaveRun run = RunRight("mov.u32 %r10, %laneid;\n" + kStore10, 160);
  for (uint32_t t = 0; t < 160; ++t) EXPECT_EQ(run.output[t], t % 64);
}

// Each half takes one way, so that no warp of 32 would diverge. All meet again at the shuffle.
TEST(WaveTest, HalvesThatTakeDifferentWaysMeetAgain) {
  const std::string body =
      "mov.u32 %r5, 7;\n setp.ge.u32 %p1, %t, 32;\n @%p1 bra $else;\n add.u32 %r5, %r5, 1;\n bra $join;\n"
      "$else:\n add.u32 %r5, %r5, 2;\n$join:\n xor.b32 %r3, %t, 32;\n"
      "shfl.sync.idx.b32 %r10, %r5, %r3, 0x1f, " +
      std::to_string(kWaveMembers) + ";\n" + kStore10;
  const WaveRun run = RunRight(body, 64);
  EXPECT_EQ(run.output[0], 9u);
  EXPECT_EQ(run.output[63], 8u);
  EXPECT_EQ(run.ran.counters().divergent_branches, 1u);
}

// Lane t makes t % 5 + 1 iterations.
TEST(WaveTest, LanesOfALoopMeetBehindIt) {
  const std::string body =
      "mov.u32 %r5, 0;\n rem.u32 %r6, %t, 5;\n$loop:\n add.u32 %r5, %r5, 1;\n setp.le.u32 %p1, %r5, %r6;\n"
      "@%p1 bra $loop;\n add.u32 %r3, %t, 1;\n shfl.sync.idx.b32 %r10, %r5, %r3, 0x1f, " +
      std::to_string(kWaveMembers) + ";\n" + kStore10;
  const WaveRun run = RunRight(body, 128, 3);
  for (uint32_t t = 0; t < 128; ++t) EXPECT_EQ(run.output[t], ((t & ~63u) + (t + 1) % 64) % 5 + 1) << t;
}

TEST(WaveTest, ATableOfBranchesSplitsAWavefront) {
  const std::string body =
      "$targets: .branchtargets $a, $b, $c;\n rem.u32 %r3, %t, 3;\n brx.idx %r3, $targets;\n"
      "$a:\n mov.u32 %r10, 10;\n bra $join;\n$b:\n mov.u32 %r10, 20;\n bra $join;\n$c:\n mov.u32 %r10, 30;\n$join:\n" +
      kStore10;
  const WaveRun run = RunRight(body, 96);
  for (uint32_t t = 0; t < 96; ++t) EXPECT_EQ(run.output[t], 10 * (t % 3 + 1));
  EXPECT_EQ(run.ran.counters().divergent_branches, 2u) << "a whole wavefront and half of one";
}

// Lane t calls down to depth t % 7, and the deepest lanes return first. All are together behind the call.
TEST(WaveTest, FunctionsAreCalledByBothHalves) {
  const std::string function = R"(
.func (.param .b32 r) f(.param .b32 v) {
  .reg .b32 %a<4>; .reg .pred %q;
  ld.param.u32 %a0, [v];
  setp.eq.u32 %q, %a0, 0;
  @%q bra $zero;
  sub.u32 %a1, %a0, 1;
  { .param .b32 in; .param .b32 out; st.param.b32 [in], %a1; call (out), f, (in); ld.param.b32 %a2, [out]; }
  add.u32 %a2, %a2, 2;
  st.param.b32 [r], %a2;
  ret;
$zero:
  st.param.b32 [r], 100;
  ret;
}
)";
  const std::string call =
      "rem.u32 %r3, %t, 7;\n{ .param .b32 in; .param .b32 out; st.param.b32 [in], %r3; call (out), f, (in);\n"
      "ld.param.b32 %r4, [out]; }\n add.u32 %r5, %t, 1;\n shfl.sync.idx.b32 %r10, %r4, %r5, 0x1f, " +
      std::to_string(kWaveMembers) + ";\n" + kStore10;
  const WaveRun run = RunKernel(call, 192, 2, kMarker + function);
  EXPECT_EQ(Describe(run.ran.findings), "");
  for (uint32_t t = 0; t < 192; ++t) {
    const uint32_t next = t / 64 * 64 + (t + 1) % 64;
    EXPECT_EQ(run.output[t], 100 + 2 * (next % 7)) << t;
  }
}

TEST(WaveTest, CountsAreThoseOfWavefronts) {
  const std::string three = "add.u32 %r5, %t, 1;\n add.u32 %r5, %r5, 2;\n add.u32 %r5, %r5, 3;\n";
  const Counters one = RunRight(three, 64).ran.counters(), many = RunRight(three, 1024).ran.counters();
  EXPECT_EQ(many.warp_instructions, 16 * one.warp_instructions) << "16 wavefronts of 1024 threads";
  EXPECT_EQ(many.wave64_instructions, many.warp_instructions);
  EXPECT_EQ(many.active_lane_sum, 64 * many.warp_instructions);
  EXPECT_EQ(RunRight(three, 32).ran.counters().active_lane_sum, 32 * one.warp_instructions);
}

// A request of 64 lanes takes a turn of the banks for each half.
TEST(WaveTest, ARequestOf64LanesIsOneRequestAndTakesATurnForEachHalf) {
  const std::string body = "st.shared.u32 [%r1], %t;\n bar.sync 0;\n ld.shared.u32 %r10, [%r1];\n" + kStore10;
  const Counters c = RunRight(body, 64).ran.counters();
  EXPECT_EQ(c.shared_store_requests, 1u);
  EXPECT_EQ(c.shared_store_wavefronts, 2u);
  EXPECT_EQ(c.shared_store_ideal_wavefronts, 2u);
  EXPECT_EQ(c.global_store_requests, 1u);
  EXPECT_EQ(c.global_store_sectors, 8u);
  EXPECT_EQ(c.barriers, 1u);
}

TEST(WaveTest, BarriersReduceOverTheBlock) {
  const WaveRun run = RunRight("setp.lt.u32 %p1, %t, 70;\n bar.red.popc.u32 %r10, 0, %p1;\n" + kStore10, 160);
  EXPECT_EQ(run.output[0], 70u);
  EXPECT_EQ(run.output[159], 70u);
}

TEST(WaveTest, LanesThatReturnAreNotWaitedFor) {
  const WaveRun run = RunRight(
      "setp.lt.u32 %p1, %t, 40;\n @%p1 ret;\n st.shared.u32 [%r1], %t;\n bar.sync 0;\n mov.u32 %r10, 5;\n" + kStore10,
      192);
  EXPECT_EQ(run.output[39], 0u);
  EXPECT_EQ(run.output[40], 5u);
  EXPECT_EQ(run.output[191], 5u);
}

TEST(WaveTest, ABarrierThatSomeLanesNeverReachIsFound) {
  const WaveRun run = RunKernel(
      "setp.ge.u32 %p1, %t, 32;\n @%p1 bra $on;\n bar.sync 0;\n bra $end;\n$on:\n mov.u32 %r5, 1;\n$end:\n "
      "st.global.u32 [%at0], %t;\n",
      64);
  ASSERT_EQ(run.ran.findings.size(), 1u) << Describe(run.ran.findings);
  EXPECT_EQ(run.ran.findings[0].kind, FindingKind::kBarrierDivergence);
}

// Lane 0 sets the flag after the loop in which the other lanes wait for it. Wavefronts have no independent threads.
TEST(WaveTest, ALaneThatWaitsForAnotherOneOfItsWavefrontWaitsForever) {
  DeviceOptions options = WaveOptions();
  options.instruction_budget = 1 << 22;
  const WaveRun run = RunKernel(
      "mov.u32 %r6, tile;\n mov.u32 %r5, 0;\n st.volatile.shared.u32 [%r6], 0;\n setp.eq.u32 %p1, %t, 0;\n"
      "@%p1 bra $join;\n$loop:\n ld.volatile.shared.u32 %r5, [%r6];\n setp.eq.u32 %p2, %r5, 0;\n @%p2 bra $loop;\n"
      "$join:\n st.volatile.shared.u32 [%r6], 1;\n",
      64, 1, kMarker, options);
  EXPECT_EQ(run.ran.status, LaunchStatus::kLaunchTimeout);
  ASSERT_FALSE(run.ran.findings.empty());
  EXPECT_EQ(run.ran.findings.back().kind, FindingKind::kEndlessLoop) << Describe(run.ran.findings);
}

TEST(WaveTest, DoesNotDependOnTheOrderOfWavefrontsAndBlocks) {
  const std::string body = LastWave(".volatile.shared");
  const Counters expected = RunRight(body, 160, 20).ran.counters();
  for (const uint64_t seed : {1u, 2u, 3u}) {
    const WaveRun run = RunKernel(body, 160, 20, kMarker, WaveOptions(seed, 3));
    EXPECT_EQ(Describe(run.ran.findings), "");
    for (uint32_t b = 0; b < 20; ++b) EXPECT_EQ(run.output[160 * b], 127u * 128 / 2);
    EXPECT_EQ(run.ran.counters().warp_instructions, expected.warp_instructions);
    EXPECT_EQ(run.ran.counters().active_lane_sum, expected.active_lane_sum);
  }
}

// --- what is refused

class RefusedInWaveTest : public testing::TestWithParam<const char*> {};
INSTANTIATE_TEST_SUITE_P(Instructions, RefusedInWaveTest,
                         testing::Values("shfl.sync.down.b32 %r10, %t, 1, 0x1f, 0xffffffff;",
                                         "shfl.sync.idx.b32 %r10, %t, 1, 0x1f, -1;",
                                         "vote.sync.ballot.b32 %r10, %p1, 0xffffffff;",
                                         "vote.sync.any.pred %p2, %p1, 0xffffffff;", "bar.warp.sync 0xffffffff;",
                                         "activemask.b32 %r10;", "match.any.sync.b32 %r10, %t, 0xffffffff;",
                                         "bar.sync 1;", "bar.sync 0, 64;", "bar.arrive 1, 64;",
                                         "mov.u32 %r10, %lanemask_lt;", "mov.u32 %r10, %warpid;", "barrier.sync 3;"));

TEST_P(RefusedInWaveTest, ByName) {
  const std::string instruction = GetParam();
  const WaveRun run = RunKernel("setp.eq.u32 %p1, %t, 0;\n" + instruction, 64);
  EXPECT_EQ(run.ran.status, LaunchStatus::kIllegalInstruction);
  ASSERT_EQ(run.ran.findings.size(), 1u);
  EXPECT_EQ(run.ran.findings[0].kind, FindingKind::kUnsupported);
  const std::string name = instruction.substr(0, instruction.find(' '));
  EXPECT_EQ(run.ran.findings[0].message.substr(0, name.size()), name);
  EXPECT_NE(run.ran.findings[0].message.find("wavefronts of 64 lanes"), std::string::npos);
}

TEST(WaveTest, ACallByPointerIsRefused) {
  KernelHarness harness(WaveOptions());
  const std::string call = "mov.u64 %rd4, f;\n P: .callprototype _ ();\n { call %rd4, (), P; }\n";
  harness.Load(Kernel(call, std::string(kMarker) + ".func f() { ret; }\n"));
  const Ran ran = harness.Launch({1}, {64}, {});
  ASSERT_EQ(ran.findings.size(), 1u);
  EXPECT_EQ(ran.findings[0].kind, FindingKind::kUnsupported);
}

// Whoever grades does not set the option, so a submission cannot ask for lock step.
TEST(WaveTest, AModuleForWavefrontsIsRefusedUnlessTheyAreAllowed) {
  Device device(KernelHarness::OneHostThread());
  const Result<ModuleId> loaded = device.LoadModule(Kernel("", kMarker), "m");
  ASSERT_FALSE(loaded.ok());
  EXPECT_NE(loaded.error().message.find("do not include hip/hip_runtime.h"), std::string::npos);
}

TEST(WaveTest, AMarkerWithAnotherNumberIsRefused) {
  Device device(WaveOptions());
  for (const char* marker :
       {".const .align 4 .u32 warpgrade_wavefront_lanes = 128;\n", ".global .align 4 .u32 warpgrade_wavefront_lanes;\n",
        ".global .align 8 .u64 warpgrade_wavefront_lanes = 64;\n"}) {
    EXPECT_FALSE(device.LoadModule(Kernel("", marker), "m").ok()) << marker;
  }
}

}  // namespace
}  // namespace warpgrade::emulator
