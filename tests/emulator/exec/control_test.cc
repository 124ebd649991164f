// Control flow: divergence and where lanes meet again, calls, and progress of lanes that wait for each other.
#include <gtest/gtest.h>

#include <functional>

#include "tests/emulator/exec/kernel_harness.h"

namespace warpgrade::emulator {
namespace {

using Words = std::vector<uint32_t>;
constexpr const char* kFile = ".file 1 \"lab.cu\"\n";

Words Iota(uint32_t n, const std::function<uint32_t(uint32_t)>& f) {
  Words v;
  for (uint32_t k = 0; k < n; ++k) v.push_back(f(k));
  return v;
}

// The counters of source line `line`.
Counters AtLine(const Ran& ran, int line) {
  for (const LineCounters& l : ran.record.lines) {
    if (l.line == line) return l.counters;
  }
  return {};
}

TEST(ControlTest, BothSidesOfAnIfRunAndMeetAfterIt) {
  KernelHarness harness;
  harness.Load(Kernel(R"(
    setp.lt.u32 %p1, %t, 10;
    .loc 1 1 0
    @%p1 bra SMALL;
    .loc 1 2 0
    add.u32 %r1, %t, 1000; bra MEET;
    SMALL:
    .loc 1 3 0
    add.u32 %r1, %t, 2000;
    MEET:
    .loc 1 4 0
    st.global.u32 [%at0], %r1;
  )",
                      kFile));
  DevicePtr out = harness.Allocate(128);
  Ran ran = harness.Launch({1}, {32}, {out});
  EXPECT_EQ(harness.Download<uint32_t>(out, 32), Iota(32, [](uint32_t t) { return t + (t < 10 ? 2000 : 1000); }));
  EXPECT_EQ(AtLine(ran, 1).divergent_branches, 1u);
  EXPECT_EQ(AtLine(ran, 1).branches, 1u);
  EXPECT_EQ(AtLine(ran, 3).thread_instructions, 10u);
  EXPECT_EQ(AtLine(ran, 3).active_lane_sum, 10u);
  EXPECT_EQ(AtLine(ran, 2).thread_instructions, 44u);
  EXPECT_EQ(AtLine(ran, 4).warp_instructions, 2u);  // the store and ret, each once, with all lanes
  EXPECT_EQ(AtLine(ran, 4).active_lane_sum, 64u);
}

TEST(ControlTest, AnUndividedBranchIsNotDivergent) {
  KernelHarness harness;
  harness.Load(Kernel("setp.lt.u32 %p1, %t, 32; @%p1 bra L; st.global.u32 [%at0], 1; L: @!%p1 bra M; M:"));
  Ran ran = harness.Launch({1}, {64}, {harness.Allocate(256)});
  EXPECT_EQ(ran.counters().branches, 4u);
  EXPECT_EQ(ran.counters().divergent_branches, 0u);
}

TEST(ControlTest, NestedIfsMeetInOrder) {
  KernelHarness harness;
  harness.Load(Kernel(R"(
    mov.u32 %r1, 0; setp.lt.u32 %p1, %t, 16; @!%p1 bra OUTER;
    add.u32 %r1, %r1, 1; and.b32 %r2, %t, 1; setp.eq.u32 %p2, %r2, 1; @!%p2 bra INNER;
    add.u32 %r1, %r1, 10;
    INNER:
    .loc 1 7 0
    add.u32 %r1, %r1, 100;
    OUTER:
    .loc 1 8 0
    add.u32 %r1, %r1, 1000; st.global.u32 [%at0], %r1;
  )",
                      kFile));
  DevicePtr out = harness.Allocate(128);
  Ran ran = harness.Launch({1}, {32}, {out});
  EXPECT_EQ(harness.Download<uint32_t>(out, 32), Iota(32, [](uint32_t t) {
              return t >= 16 ? 1000u : t % 2 == 1 ? 1111u : 1101u;
            }));
  EXPECT_EQ(AtLine(ran, 7).active_lane_sum, 16u);
  EXPECT_EQ(AtLine(ran, 7).warp_instructions, 1u);
  EXPECT_EQ(AtLine(ran, 8).warp_instructions, 3u);
}

TEST(ControlTest, LoopsWithATripCountPerLaneMeetAfterTheLongest) {
  KernelHarness harness;
  harness.Load(Kernel(R"(
    mov.u32 %r1, 0; mov.u32 %r2, 0;
    LOOP:
    .loc 1 5 0
    add.u32 %r1, %r1, %r2;
    .loc 1 6 0
    add.u32 %r2, %r2, 1; setp.le.u32 %p1, %r2, %t; @%p1 bra LOOP;
    .loc 1 7 0
    st.global.u32 [%at0], %r1;
  )",
                      kFile));
  DevicePtr out = harness.Allocate(128);
  Ran ran = harness.Launch({1}, {32}, {out});
  EXPECT_EQ(harness.Download<uint32_t>(out, 32), Iota(32, [](uint32_t t) { return t * (t + 1) / 2; }));
  // Lane t goes round t + 1 times: the warp 32 times, with 32, 31, ... 1 lanes.
  EXPECT_EQ(AtLine(ran, 5).warp_instructions, 32u);
  EXPECT_EQ(AtLine(ran, 5).active_lane_sum, 528u);
  EXPECT_EQ(AtLine(ran, 6).divergent_branches, 31u);
  EXPECT_EQ(AtLine(ran, 7).warp_instructions, 2u);
}

TEST(ControlTest, EarlyReturnsLeaveTheOthersTogether) {
  KernelHarness harness;
  harness.Load(Kernel(R"(
    setp.ge.u32 %p1, %t, 20; @%p1 bra DONE; setp.lt.u32 %p2, %t, 4; @%p2 exit;
    .loc 1 3 0
    st.global.u32 [%at0], 5;
    DONE: ret;
  )",
                      kFile));
  DevicePtr out = harness.Allocate(256);
  Ran ran = harness.Launch({1}, {40}, {out});
  EXPECT_EQ(harness.Download<uint32_t>(out, 40), Iota(40, [](uint32_t t) { return t >= 4 && t < 20 ? 5u : 0u; }));
  EXPECT_EQ(AtLine(ran, 3).global_store_requests, 1u);
  EXPECT_EQ(AtLine(ran, 3).global_store_bytes, 64u);
}

// Lane t leaves the kernel in turn t if it is odd, and the loop after turn t / 4 + 1 if it is even.
TEST(ControlTest, LanesThatExitInsideALoopDoNotKeepTheOthersApart) {
  for (const char* leave : {"@%p1 exit;", "@%p1 ret;", "@%p1 bra OUT;"}) {
    SCOPED_TRACE(leave);
    KernelHarness harness;
    harness.Load(Kernel(R"(
      and.b32 %r5, %t, 1; shr.u32 %r6, %t, 2; mov.u32 %r1, 0;
      LOOP: setp.eq.u32 %p2, %r5, 1; setp.eq.and.u32 %p1, %r1, %t, %p2; )" +
                            std::string(leave) + R"(
      add.u32 %r1, %r1, 1; setp.le.u32 %p3, %r1, %r6; setp.eq.or.u32 %p4, %r5, 1, %p3; @%p4 bra LOOP;
      .loc 1 9 0
      st.global.u32 [%at0], %r1;
      OUT: )",
                        kFile));
    DevicePtr out = harness.Allocate(128);
    Ran ran = harness.Launch({1}, {32}, {out});
    EXPECT_EQ(ran.status, LaunchStatus::kOk) << Describe(ran.findings);
    EXPECT_EQ(harness.Download<uint32_t>(out, 32), Iota(32, [](uint32_t t) { return t % 2 == 1 ? 0 : t / 4 + 1; }));
    EXPECT_EQ(AtLine(ran, 9).global_store_requests, 1u);
  }
}

TEST(ControlTest, AGuardedInstructionCountsItsGuardedLanesOnly) {
  KernelHarness harness;
  harness.Load(Kernel("setp.lt.u32 %p1, %t, 7;\n.loc 1 2 0\n@%p1 add.u32 %r1, %t, 1;\n.loc 1 3 0\n", kFile));
  Ran ran = harness.Launch({1}, {32}, {});
  EXPECT_EQ(AtLine(ran, 2).thread_instructions, 7u);
  EXPECT_EQ(AtLine(ran, 2).active_lane_sum, 32u);
}

TEST(ControlTest, AnIndexedBranchGoesFourWays) {
  KernelHarness harness;
  harness.Load(Kernel(R"(
    targets: .branchtargets A, B, C, D;
    and.b32 %r1, %t, 3;
    .loc 1 2 0
    brx.idx %r1, targets;
    .loc 1 3 0
    A: mov.u32 %r2, 10; bra MEET; B: mov.u32 %r2, 20; bra MEET; C: mov.u32 %r2, 30; bra MEET; D: mov.u32 %r2, 40;
    MEET:
    .loc 1 9 0
    st.global.u32 [%at0], %r2;
  )",
                      kFile));
  DevicePtr out = harness.Allocate(128);
  Ran ran = harness.Launch({1}, {32}, {out});
  EXPECT_EQ(harness.Download<uint32_t>(out, 32), Iota(32, [](uint32_t t) { return 10 * (t % 4 + 1); }));
  EXPECT_EQ(AtLine(ran, 2).branches, 1u);
  EXPECT_EQ(AtLine(ran, 2).divergent_branches, 1u);  // one branch, however many ways it went
  EXPECT_EQ(AtLine(ran, 9).warp_instructions, 2u);
}

TEST(ControlTest, AnIndexPastTheTableOfABranchIsAFinding) {
  KernelHarness harness;
  harness.Load(Kernel(R"(
    targets: .branchtargets A, B;
    brx.idx %t, targets;
    A: mov.u32 %r2, 10; bra MEET; B: mov.u32 %r2, 20;
    MEET: st.global.u32 [%at0], %r2;
  )"));
  const DevicePtr out = harness.Allocate(128);
  EXPECT_EQ(harness.Launch({1}, {2}, {out}).status, LaunchStatus::kOk);
  const Ran ran = harness.Launch({1}, {3}, {out});
  EXPECT_EQ(ran.status, LaunchStatus::kIllegalAddress);
  ASSERT_EQ(ran.findings.size(), 1u) << Describe(ran.findings);
  EXPECT_EQ(ran.findings[0].message, "brx.idx has the index 2, but its table has 2 labels");
}

// A function (n) -> n * 10 with its own local memory, and one that calls itself.
constexpr const char* kFunctions = R"(
.func (.param .b32 result) times_ten(.param .b32 n) {
  .reg .b32 %r<4>; .local .align 4 .b8 scratch[8];
  ld.param.u32 %r1, [n]; st.local.u32 [scratch+4], %r1; ld.local.u32 %r2, [scratch+4]; mul.lo.u32 %r2, %r2, 10;
  st.param.b32 [result], %r2; ret;
}
.func (.param .b32 result) plus_one(.param .b32 n) {
  .reg .b32 %r<4>;
  ld.param.u32 %r1, [n]; add.u32 %r1, %r1, 1; st.param.b32 [result], %r1; ret;
}
.func (.param .b64 result) fibonacci(.param .b32 n) {
  .reg .b32 %r<4>; .reg .b64 %rd<4>; .reg .pred %p<2>; .param .b32 a; .param .b64 x;
  ld.param.u32 %r1, [n]; cvt.u64.u32 %rd3, %r1; setp.lt.u32 %p1, %r1, 2; @%p1 bra DONE;
  add.u32 %r2, %r1, -1; st.param.b32 [a], %r2; call (x), fibonacci, (a); ld.param.b64 %rd1, [x];
  add.u32 %r2, %r1, -2; st.param.b32 [a], %r2; call (x), fibonacci, (a); ld.param.b64 %rd2, [x];
  add.u64 %rd3, %rd1, %rd2;
  DONE: st.param.b64 [result], %rd3; ret;
}
.func early(.param .b32 n, .param .b64 where) {
  .reg .b32 %r<4>; .reg .b64 %rd<4>; .reg .pred %p<3>;
  ld.param.u32 %r1, [n]; ld.param.u64 %rd1, [where]; setp.gt.u32 %p1, %r1, 20; @%p1 exit;
  setp.gt.u32 %p2, %r1, 10; @%p2 bra BACK; st.global.u32 [%rd1], 1; ret;
  BACK: st.global.u32 [%rd1], 2; ret;
}
)";

TEST(ControlTest, ACallTakesArgumentsAndGivesAResultBack) {
  Words got = OutputOf(
      Kernel(".param .b32 a; .param .b32 x; st.param.b32 [a], %t; call.uni (x), times_ten, (a); ld.param.b32 %r1, [x];"
             "st.global.u32 [%at0], %r1;",
             kFunctions),
      {1}, {32}, 32);
  EXPECT_EQ(got, Iota(32, [](uint32_t t) { return 10 * t; }));
}

TEST(ControlTest, ACallByHalfAWarpLeavesTheOtherHalfsRegisters) {
  Words got = OutputOf(Kernel(R"(
    .param .b32 a; .param .b32 x; mov.u32 %r1, 77; setp.lt.u32 %p1, %t, 16; @!%p1 bra OVER;
    st.param.b32 [a], %t; call (x), times_ten, (a); ld.param.b32 %r1, [x];
    OVER: st.global.u32 [%at0], %r1;
  )",
                              kFunctions),
                       {1}, {32}, 32);
  EXPECT_EQ(got, Iota(32, [](uint32_t t) { return t < 16 ? 10 * t : 77; }));
}

TEST(ControlTest, AGuardedCallIsMadeByItsLanesOnly) {
  Words got =
      OutputOf(Kernel(".param .b32 a; .param .b32 x; setp.lt.u32 %p1, %t, 5; st.param.b32 [a], %t; st.param.b32 [x], 3;"
                      "@%p1 call (x), times_ten, (a); ld.param.b32 %r1, [x]; st.global.u32 [%at0], %r1;",
                      kFunctions),
               {1}, {32}, 32);
  EXPECT_EQ(got, Iota(32, [](uint32_t t) { return t < 5 ? 10 * t : 3; }));
}

TEST(ControlTest, RecursionKeepsAFramePerCallAndLane) {
  Words got = OutputOf(
      Kernel(".param .b32 a; .param .b64 x; and.b32 %r1, %t, 15; st.param.b32 [a], %r1; call (x), fibonacci, (a);"
             "ld.param.b64 %rd4, [x]; cvt.u32.u64 %r2, %rd4; st.global.u32 [%at0], %r2;",
             kFunctions),
      {2}, {32}, 64);
  EXPECT_EQ(got, Iota(64, [](uint32_t g) {
              uint32_t a = 0, b = 1;
              for (uint32_t k = 0; k < g % 16; ++k) b = std::exchange(a, b) + b;
              return a;
            }));
}

TEST(ControlTest, IndirectCallsGoWhereEachLanesPointerSays) {
  Words got = OutputOf(Kernel(R"(
    .param .b32 a; .param .b32 x; mov.u64 %rd4, times_ten; mov.u64 %rd5, plus_one; and.b32 %r1, %t, 1; setp.eq.u32 %p1, %r1, 0;
    selp.b64 %rd6, %rd4, %rd5, %p1; st.param.b32 [a], %t;
    prototype: .callprototype (.param .b32 _) _ (.param .b32 _);
    call (x), %rd6, (a), prototype; ld.param.b32 %r2, [x]; st.global.u32 [%at0], %r2;
  )",
                              kFunctions),
                       {1}, {32}, 32);
  EXPECT_EQ(got, Iota(32, [](uint32_t t) { return t % 2 == 0 ? 10 * t : t + 1; }));
}

TEST(ControlTest, AFunctionTableInGlobalMemoryHoldsAddresses) {
  Words got = OutputOf(Kernel(R"(
    .param .b32 a; .param .b32 x; and.b32 %r1, %t, 1; mul.wide.u32 %rd4, %r1, 8; mov.u64 %rd5, table; add.u64 %rd5, %rd5, %rd4;
    ld.global.u64 %rd6, [%rd5]; st.param.b32 [a], %t;
    prototype: .callprototype (.param .b32 _) _ (.param .b32 _);
    call (x), %rd6, (a), prototype; ld.param.b32 %r2, [x]; st.global.u32 [%at0], %r2;
  )",
                              std::string(kFunctions) + ".global .align 8 .u64 table[2] = {plus_one, times_ten};\n"),
                       {1}, {4}, 4);
  EXPECT_EQ(got, (Words{1, 10, 3, 30}));
}

TEST(ControlTest, ReturnsAndExitsInsideAFunction) {
  KernelHarness harness;
  harness.Load(Kernel(
      ".param .b32 a; .param .b64 w; st.param.b32 [a], %t; st.param.b64 [w], %at0; call early, (a, w);\n.loc 1 5 0\n"
      "ld.global.u32 %r1, [%at0]; add.u32 %r1, %r1, 10; st.global.u32 [%at0], %r1;",
      std::string(kFile) + kFunctions));
  DevicePtr out = harness.Allocate(128);
  Ran ran = harness.Launch({1}, {32}, {out});
  EXPECT_EQ(ran.status, LaunchStatus::kOk);
  EXPECT_EQ(harness.Download<uint32_t>(out, 32), Iota(32, [](uint32_t t) { return t > 20 ? 0u : t > 10 ? 12u : 11u; }));
  EXPECT_EQ(AtLine(ran, 5).global_load_requests, 1u);  // those that came back are together again
}

TEST(ControlTest, ACallThroughARubbishPointerIsNamed) {
  KernelHarness harness;
  harness.Load(Kernel("mov.u64 %rd4, 1234; p: .callprototype _ ();\ncall %rd4, (), p;"));
  Ran ran = harness.Launch({1}, {32}, {});
  EXPECT_EQ(ran.status, LaunchStatus::kIllegalAddress);
  ASSERT_EQ(ran.findings.size(), 1u);
  EXPECT_EQ(ran.findings[0].message, "called an address that is not the start of a function");
}

TEST(ControlTest, LanesOfOneWarpThatFightForALockAllGetIt) {
  // while (atomicCAS(lock, 0, 1) != 0); ++*counter; atomicExch(lock, 0); without volta's progress this never ends.
  KernelHarness harness;
  harness.Load(Kernel(R"(
    SPIN: atom.global.cas.b32 %r1, [%rd0], 0, 1; setp.ne.u32 %p1, %r1, 0; @%p1 bra SPIN;
    ld.volatile.global.u32 %r2, [%rd0+4]; add.u32 %r2, %r2, 1; st.volatile.global.u32 [%rd0+4], %r2; membar.gl;
    atom.global.exch.b32 %r1, [%rd0], 0;
  )"));
  DevicePtr out = harness.Allocate(8);
  Ran ran = harness.Launch({1}, {64}, {out});
  EXPECT_EQ(ran.status, LaunchStatus::kOk) << Describe(ran.findings);
  EXPECT_EQ(harness.Download<uint32_t>(out, 2), (Words{0, 64}));
}

TEST(ControlTest, AnUnsupportedInstructionIsNamedOnlyWhenItRuns) {
  KernelHarness harness;
  harness.Load(Kernel("setp.eq.u64 %p1, %rd1, 0; @%p1 bra OVER;\n.loc 1 33 0\nfrobnicate.u32 %r1, %r2; OVER:", kFile));
  EXPECT_EQ(harness.Launch({1}, {32}, {0, 0}).status, LaunchStatus::kOk);
  Ran ran = harness.Launch({1}, {32}, {0, 1});
  EXPECT_EQ(ran.status, LaunchStatus::kIllegalInstruction);
  ASSERT_EQ(ran.findings.size(), 1u);
  EXPECT_EQ(ran.findings[0].line, 33);
  EXPECT_NE(ran.findings[0].message.find("`frobnicate.u32`"), std::string::npos);
}

}  // namespace
}  // namespace warpgrade::emulator
