// The race check on global memory: what it must find between threads, warps and blocks, and the ways of ordering them
// that it must know: barriers, __syncwarp(), fences with flags, locks and counters.
#include <gtest/gtest.h>

#include "tests/emulator/exec/kernel_harness.h"

namespace warpgrade::emulator {
namespace {

constexpr const char* kTileAndFlag =
    ".file 1 \"lab.cu\"\n.shared .align 16 .b8 tile[4096];\n.shared .align 4 .u32 last;\n";
// %b: the block; %p1: first thread of the block; %n: blocks. %at0 and %at1 are the thread's own words of two buffers
// (p0, p1); p2 and p3 are for flags and counters.
constexpr const char* kBegin = R"(
  .reg .b32 %b, %n; mov.u32 %b, %ctaid.x; mov.u32 %n, %nctaid.x; setp.eq.u32 %p1, %t, 0;
)";

struct RaceOptions {
  uint32_t blocks = 1, threads = 64;
  int host_threads = 1;
};

std::vector<Finding> Races(const std::string& body, RaceOptions how, bool cooperative = false) {
  DeviceOptions options = KernelHarness::OneHostThread();
  options.host_threads = how.host_threads;
  options.instruction_budget = 20'000'000;
  KernelHarness harness(options);
  harness.Load(Kernel(kBegin + body, kTileAndFlag));
  Ran ran = harness.Launch({how.blocks}, {how.threads},
                           {harness.Allocate(65536, "data"), harness.Allocate(65536, "other"),
                            harness.Allocate(65536, "flags"), harness.Allocate(65536, "counter")},
                           0, cooperative);
  EXPECT_EQ(ran.status, LaunchStatus::kOk) << Describe(ran.findings);
  for (const Finding& f : ran.findings) EXPECT_EQ(f.kind, FindingKind::kGlobalRace) << f.message;
  return ran.findings;
}
std::string None(const std::string& body, RaceOptions how) { return Describe(Races(body, how)); }

// --- within a block

TEST(GlobalRaceTest, EachThreadsOwnElementIsNoRace) {
  EXPECT_EQ(
      None("ld.global.u32 %r1, [%at0]; add.u32 %r1, %r1, 1; st.global.u32 [%at0], %r1; ld.global.u32 %r2, [%at0];",
           {.blocks = 8, .threads = 96}),
      "");
}

TEST(GlobalRaceTest, ANeighboursElementNeedsABarrier) {
  std::string read = "ld.global.u32 %r1, [%at0+4];";
  EXPECT_EQ(None("st.global.u32 [%at0], %t; bar.sync 0; setp.lt.u32 %p2, %t, 63; @%p2 " + read, {}), "");
  std::vector<Finding> found = Races(".loc 1 5 0\nst.global.u32 [%at0], %t;\n.loc 1 6 0\n" + read, {.threads = 64});
  ASSERT_EQ(found.size(), 1u) << Describe(found);
  EXPECT_EQ(found[0].line, 6);
  EXPECT_EQ(found[0].other_line, 5);
  EXPECT_EQ(found[0].message.substr(0, 30), "read element 32 of data (65536");
  EXPECT_NE(found[0].message.find("thread (32,0,0) wrote in line 5, with no __syncthreads()"), std::string::npos)
      << found[0].message;
}

TEST(GlobalRaceTest, AStepThatReadsWhatOtherLanesWriteNeedsASyncwarpInside) {
  // g[t] += g[t + 16] by one warp, with either load first.
  const std::string loads[] = {"ld.global.u32 %r1, [%at0+64]; ld.global.u32 %r2, [%at0]; ",
                               "ld.global.u32 %r2, [%at0]; ld.global.u32 %r1, [%at0+64]; "};
  for (const std::string& two : loads) {
    const std::string rest = "add.u32 %r1, %r1, %r2; st.global.u32 [%at0], %r1; bar.warp.sync -1; ";
    EXPECT_EQ(Races(two + rest, {.threads = 32}).size(), 1u) << two;
    EXPECT_EQ(None(two + "bar.warp.sync -1; " + rest, {.threads = 32}), "") << two;
  }
}

TEST(GlobalRaceTest, BytesOfOneWordBelongToTheirOwnThreads) {
  EXPECT_EQ(None("cvt.u64.u32 %rd5, %g; add.u64 %rd5, %rd5, %rd0; st.global.u8 [%rd5], %t; ld.global.u8 %r1, [%rd5];"
                 "add.u32 %r1, %r1, 1; st.global.u8 [%rd5], %r1;",
                 {.blocks = 3, .threads = 50}),
            "");
}

TEST(GlobalRaceTest, AByteOfAWordThatAnotherWritesIsFound) {
  std::vector<Finding> found =
      Races("setp.eq.u32 %p2, %t, 33; @%p1 st.global.u32 [%rd0], 7; @%p2 st.global.u8 [%rd0+2], 1;", {});
  ASSERT_EQ(found.size(), 1u);
  EXPECT_NE(found[0].message.find("__syncthreads()"), std::string::npos) << found[0].message;
}

// Lane 0 of each warp has a word of its own in one line, at %rd5. %p2: lane 0. %r1: the warp.
constexpr const char* kWordOfEachWarp = R"(
  shr.u32 %r1, %t, 5; and.b32 %r2, %t, 31; setp.eq.u32 %p2, %r2, 0;
  mul.wide.u32 %rd5, %r1, 4; add.u64 %rd5, %rd5, %rd0;
)";

TEST(GlobalRaceTest, WordsOfOneLineMayBelongToManyWarps) {
  const std::string each = kWordOfEachWarp;
  const RaceOptions how = {.threads = 1024};
  EXPECT_EQ(None(each + "@%p2 st.global.u32 [%rd5], %t;", how), "");
  EXPECT_EQ(None(each + "@%p2 ld.global.u32 %r3, [%rd5];", how), "");
  EXPECT_EQ(None(each + "@%p2 st.global.u32 [%rd5], %t; @%p2 ld.global.u32 %r3, [%rd5];", how), "");
  const std::string next = "@%p2 st.global.u32 [%rd5], %t; bar.sync 0; setp.lt.and.u32 %p2, %r1, 31, %p2;";
  EXPECT_EQ(None(each + next + "@%p2 ld.global.u32 %r3, [%rd5+4];", how), "");
}

TEST(GlobalRaceTest, AWordOfALineOfManyWarpsRacesWithItsOwnWarpOnly) {
  // Warp 20 writes the word of another warp: of the first, which the line had before it was kept in this way, of a
  // later one, and of the last before it.
  const std::string each = std::string(kWordOfEachWarp) + ".loc 1 8 0\n@%p2 ";
  for (const std::string access : {"st.global.u32 [%rd5], %t;", "ld.global.u32 %r3, [%rd5];"}) {
    for (const int warp : {0, 1, 5, 19}) {
      const std::string only = " setp.eq.and.u32 %p3, %r1, 20, %p2; .loc 1 9 0\n@%p3 st.global.u32 [%rd0+" +
                               std::to_string(4 * warp) + "], %t;";
      const std::vector<Finding> found = Races(each + access + only, {.threads = 1024});
      ASSERT_EQ(found.size(), 1u) << access << warp << Describe(found);
      EXPECT_EQ(found[0].line, 9);
      EXPECT_EQ(found[0].other_line, 8);
      EXPECT_EQ(found[0].thread.x, 640u);
      EXPECT_EQ(found[0].other_thread.x, static_cast<uint32_t>(32 * warp));
      EXPECT_EQ(found[0].message.find("wrote element " + std::to_string(warp) + " of data"), 0u) << found[0].message;
    }
  }
}

TEST(GlobalRaceTest, AByteOfALineOfManyWarpsIsComparedWithItsWordOnly) {
  const std::string each = std::string(kWordOfEachWarp) + "@%p2 st.global.u32 [%rd5], %t; ";
  // Warp 20 writes a byte: of the line's last words, which only warps beyond 20 would have; and of the word of warp 5.
  const RaceOptions how = {.threads = 21 * 32};
  const std::string last = "setp.eq.and.u32 %p3, %r1, 20, %p2; @%p3 st.global.u8 ";
  EXPECT_EQ(None(each + last + "[%rd0+101], %t;", how), "");
  const std::vector<Finding> found = Races(each + last + "[%rd0+21], %t;", how);
  ASSERT_EQ(found.size(), 1u) << Describe(found);
  EXPECT_NE(found[0].message.find("thread (160,0,0)"), std::string::npos) << found[0].message;
}

TEST(GlobalRaceTest, AnotherBlockMayNotWriteAWordThatAWarpHasRead) {
  const std::string each = kWordOfEachWarp;
  for (const int host_threads : {1, 2}) {
    const std::vector<Finding> found = Races(each +
                                                 "setp.eq.and.u32 %p3, %b, 0, %p2; @%p3 ld.global.u32 %r3, [%rd5]; "
                                                 "setp.eq.and.u32 %p3, %b, 1, %p1; @%p3 st.global.u32 [%rd0+44], 1;",
                                             {.blocks = 2, .threads = 1024, .host_threads = host_threads});
    ASSERT_EQ(found.size(), 1u) << Describe(found);
    EXPECT_NE(found[0].message.find("element 11 of data"), std::string::npos) << found[0].message;
    EXPECT_NE(found[0].message.find("thread (352,0,0)"), std::string::npos) << found[0].message;
  }
}

TEST(GlobalRaceTest, LanesOfOneStoreRaceOnlyWhenTheirValuesDiffer) {
  EXPECT_EQ(None("st.global.u32 [%rd0], 7;", {.threads = 32}), "");
  std::vector<Finding> found = Races("st.global.u32 [%rd0], %t;", {.threads = 32});
  ASSERT_EQ(found.size(), 1u);
  EXPECT_NE(found[0].message.find("another value there in the same instruction"), std::string::npos)
      << found[0].message;
}

TEST(GlobalRaceTest, VectorStoresOfNeighboursDoNotOverlap) {
  EXPECT_EQ(None("mul.wide.u32 %rd5, %g, 16; add.u64 %rd5, %rd5, %rd0; st.global.v4.u32 [%rd5], {%t, %t, %t, %t}; "
                 "ld.global.v2.u32 {%r1, %r2}, [%rd5+8];",
                 {.blocks = 4}),
            "");
  EXPECT_EQ(Races("mul.wide.u32 %rd5, %g, 8; add.u64 %rd5, %rd5, %rd0; st.global.v2.u32 [%rd5], {%t, %t}; "
                  "ld.global.u32 %r1, [%rd5+8];",
                  {.threads = 32})
                .size(),
            1u);
}

// --- between blocks

TEST(GlobalRaceTest, BlocksThatWriteOneWordRace) {
  std::vector<Finding> found = Races("@%p1 st.global.u32 [%rd0], %b;", {.blocks = 2, .threads = 32});
  ASSERT_EQ(found.size(), 1u);
  EXPECT_EQ(found[0].other_block.x + found[0].block.x, 1u);
  EXPECT_NE(found[0].message.find("nothing orders these two"), std::string::npos) << found[0].message;
}

TEST(GlobalRaceTest, ABlockThatReadsWhatAnotherWritesInPlaceRaces) {
  // a[i] = a[i + 1]: the last thread of a block reads what the next block writes.
  EXPECT_EQ(Races("ld.global.u32 %r1, [%at0+4]; bar.sync 0; st.global.u32 [%at0], %r1;", {.blocks = 3}).size(), 1u);
}

TEST(GlobalRaceTest, ManyBlocksReadWhatNobodyWrites) {
  EXPECT_EQ(None("ld.global.u32 %r1, [%rd0]; and.b32 %r2, %t, 7; mul.wide.u32 %rd5, %r2, 4; add.u64 %rd5, %rd5, %rd0; "
                 "ld.global.u32 %r3, [%rd5]; ld.global.u32 %r3, [%rd5+4]; st.global.u32 [%at1], %r3;",
                 {.blocks = 16}),
            "");
}

TEST(GlobalRaceTest, AWriteAfterManyReadersIsFound) {
  EXPECT_EQ(Races("ld.global.u32 %r1, [%rd0]; setp.eq.u32 %p2, %b, 5; setp.eq.and.u32 %p2, %t, 3, %p2; "
                  "@%p2 st.global.u32 [%rd0], 1;",
                  {.blocks = 6})
                .size(),
            1u);
}

TEST(GlobalRaceTest, AtomicsOfManyBlocksDoNotRace) {
  EXPECT_EQ(None("and.b32 %r1, %g, 15; mul.wide.u32 %rd5, %r1, 4; add.u64 %rd5, %rd5, %rd0; "
                 "atom.global.add.u32 %r2, [%rd5], 1; red.global.max.u32 [%rd0], %t;",
                 {.blocks = 8}),
            "");
}

TEST(GlobalRaceTest, APlainReadOfAnAtomicCounterRaces) {
  EXPECT_EQ(Races("red.global.add.u32 [%rd0], 1; @%p1 ld.global.u32 %r1, [%rd0];", {.blocks = 2}).size(), 1u);
  EXPECT_EQ(None("red.global.add.u32 [%rd0], 1; @%p1 ld.volatile.global.u32 %r1, [%rd0];", {.blocks = 2}), "");
}

TEST(GlobalRaceTest, AtomicsOfBlockScopeDoNotReachOtherBlocks) {
  EXPECT_EQ(None("atom.cta.global.add.u32 %r1, [%rd0], 1;", {.blocks = 1}), "");
  EXPECT_EQ(Races("atom.cta.global.add.u32 %r1, [%rd0], 1;", {.blocks = 2}).size(), 1u);
}

TEST(GlobalRaceTest, TheNextLaunchIsOrdered) {
  DeviceOptions options = KernelHarness::OneHostThread();
  KernelHarness harness(options);
  harness.Load(
      Kernel("rem.u32 %r1, %g, 7; mul.wide.u32 %rd5, %g, 4; sub.u64 %rd5, %rd0, %rd5; add.u64 %rd5, %rd5, 1020; "
             "setp.eq.u64 %p1, %rd1, 0; @%p1 st.global.u32 [%at0], 1; @!%p1 st.global.u32 [%rd5], 2;"));
  DevicePtr p = harness.Allocate(1024);
  for (uint64_t launch = 0; launch < 4; ++launch) {
    EXPECT_EQ(Describe(harness.Launch({4}, {64}, {p, launch & 1}).findings), "");
  }
}

TEST(GlobalRaceTest, OverlappingReadsOfAStencilLeaveTheRightReaderInEachWord) {
  // v = a[i] + a[i + 1] + a[i + 2], then the thread that alone read a[i + 2] of the buffer's end writes it: no race;
  // any other thread that writes it does race.
  auto program = [](int writer) {
    return "ld.global.u32 %r1, [%at0]; ld.global.u32 %r2, [%at0+4]; ld.global.u32 %r3, [%at0+8]; setp.eq.u32 %p2, "
           "%t, " +
           std::to_string(writer) + "; @%p2 st.global.u32 [%rd0+260], %r1;";
  };
  EXPECT_EQ(None(program(63), {.threads = 64}), "");
  EXPECT_EQ(Races(program(62), {.threads = 64}).size(), 1u);
}

// --- volatile

TEST(GlobalRaceTest, VolatileAccessesThatNothingOrdersAreAKindOfTheirOwn) {
  DeviceOptions options = KernelHarness::OneHostThread();
  KernelHarness harness(options);
  harness.Load(Kernel(std::string(kBegin) + "@%p1 st.volatile.global.u32 [%rd0], %b;", kTileAndFlag));
  const std::vector<Finding> found = harness.Launch({2}, {32}, {harness.Allocate(64)}).findings;
  ASSERT_EQ(found.size(), 1u);
  EXPECT_EQ(found[0].kind, FindingKind::kUnorderedVolatile);
}

TEST(GlobalRaceTest, AWatchedFlagMayBeVolatile) {
  // Block 1 waits for the flag of block 0, which nobody fences, and reads it once more afterwards.
  EXPECT_EQ(None(R"(
    @!%p1 bra DONE; setp.eq.u32 %p2, %b, 0; @%p2 st.volatile.global.u32 [%rd0], 5; @%p2 bra DONE;
    SPIN: ld.volatile.global.u32 %r1, [%rd0]; setp.eq.u32 %p3, %r1, 0; @%p3 bra SPIN;
    ld.volatile.global.u32 %r2, [%rd0]; add.u32 %r2, %r2, %r1; st.global.u32 [%rd1], %r2;
    DONE:
  )",
                 {.blocks = 2}),
            "");
}

// The sum of all blocks, to which block 0 gives its first value. Its own atomics come after its store; those of the
// other blocks may come before.
TEST(GlobalRaceTest, AtomicsOfABlockDoNotHideItsStoreFromTheOtherBlocks) {
  const std::string first =
      "setp.eq.u32 %p2, %b, 0; and.pred %p2, %p2, %p1;\n.loc 1 10 0\n@%p2 st.global.u32 [%rd2], 0;\n";
  const std::string add = "@%p1 red.global.add.u32 [%rd2], 1;\n";
  for (const std::string& sum : {".loc 1 11 0\n" + add, "\n.loc 1 11 0\n" + add + add,
                                 std::string("bar.sync 0;\n.loc 1 11 0\nred.global.add.u32 [%rd2], 1;\n")}) {
    for (int host_threads : {1, 2}) {
      std::vector<Finding> found = Races(first + sum, {.blocks = 4, .host_threads = host_threads});
      ASSERT_EQ(found.size(), 1u) << sum << Describe(found);
      EXPECT_EQ(std::min(found[0].line, found[0].other_line), 10);
    }
    EXPECT_EQ(None(first + sum, {.blocks = 1}), "");
  }
}

// --- order between blocks by fences

// The last block to finish adds up what all blocks wrote: the CUDA sample threadFenceReduction.
std::string LastBlockDone(const std::string& fence) {
  return R"(
    mul.wide.u32 %rd5, %b, 4; add.u64 %rd6, %rd0, %rd5;
    .loc 1 10 0
    @%p1 st.global.u32 [%rd6], %b;
  )" + fence +
         R"(
    .loc 1 12 0
    @%p1 atom.global.inc.u32 %r1, [%rd3], %n;
    sub.u32 %r2, %n, 1; setp.eq.u32 %p2, %r1, %r2; selp.u32 %r3, 1, 0, %p2;
    @%p1 st.shared.u32 [last], %r3;
    bar.sync 0; ld.shared.u32 %r3, [last]; setp.eq.u32 %p3, %r3, 0; @%p3 bra DONE;
    setp.ge.u32 %p4, %t, %n; @%p4 bra DONE;
    mul.wide.u32 %rd5, %t, 4; add.u64 %rd6, %rd0, %rd5;
    .loc 1 20 0
    ld.global.u32 %r5, [%rd6];
    DONE:
  )";
}

TEST(GlobalRaceTest, TheLastBlockMayReadWhatTheOthersFenced) {
  for (int host_threads : {1, 2}) {
    EXPECT_EQ(None(LastBlockDone("membar.gl;"), {.blocks = 40, .host_threads = host_threads}), "");
    EXPECT_EQ(None(LastBlockDone("fence.acq_rel.gpu;"), {.blocks = 40, .host_threads = host_threads}), "");
  }
}

TEST(GlobalRaceTest, TheLastBlockMayResetTheCounterPlainly) {
  std::string reset = LastBlockDone("membar.gl;");
  reset.insert(reset.find("DONE:"), "@%p1 st.global.u32 [%rd3], 0; ");
  for (int host_threads : {1, 2}) EXPECT_EQ(None(reset, {.blocks = 40, .host_threads = host_threads}), "");
}

TEST(GlobalRaceTest, APlainReadThatACompareAndSwapConfirmsIsNoRace) {
  const std::string loop = R"(
    ld.global.u32 %r1, [%rd2];
    AGAIN: add.u32 %r2, %r1, 3; atom.global.cas.b32 %r3, [%rd2], %r1, %r2;
    setp.ne.u32 %p2, %r3, %r1; mov.u32 %r1, %r3; @%p2 bra AGAIN;
  )";
  for (int host_threads : {1, 2}) {
    EXPECT_EQ(None("@%p1 red.global.add.u32 [%rd2], 1;" + loop, {.blocks = 8, .host_threads = host_threads}), "");
  }
  EXPECT_EQ(Races("@%p1 red.global.add.u32 [%rd2], 1; ld.global.u32 %r1, [%rd2];", {.blocks = 8}).size(), 1u)
      << "a read of its own does race with an atomic";
}

TEST(GlobalRaceTest, WithoutTheFenceTheLastBlockRaces) {
  std::vector<Finding> found = Races(LastBlockDone(""), {.blocks = 40});
  ASSERT_EQ(found.size(), 1u) << Describe(found);
  EXPECT_EQ(found[0].line, 20);
  EXPECT_EQ(found[0].other_line, 10);
}

TEST(GlobalRaceTest, ABlockFenceDoesNotOrderBlocks) {
  std::vector<Finding> found = Races(LastBlockDone("membar.cta;"), {.blocks = 40});
  ASSERT_EQ(found.size(), 1u) << Describe(found);
  EXPECT_NE(found[0].message.find("__threadfence()"), std::string::npos) << found[0].message;
}

TEST(GlobalRaceTest, AFenceAfterTheAtomicIsTooLate) {
  std::string late = LastBlockDone("");
  size_t at = late.find("sub.u32 %r2");
  late.insert(at, "membar.gl; ");
  EXPECT_EQ(Races(late, {.blocks = 40}).size(), 1u);
}

TEST(GlobalRaceTest, AllThreadsFenceThenABarrierThenOneAnnounces) {
  // Every thread stores and fences; after __syncthreads() the first one counts up.
  std::string body = R"(
    st.global.u32 [%at0], %t; membar.gl; bar.sync 0;
    @%p1 atom.global.add.u32 %r1, [%rd3], 1; @%p1 st.shared.u32 [last], %r1; bar.sync 0; ld.shared.u32 %r1, [last];
    sub.u32 %r2, %n, 1; setp.ne.u32 %p2, %r1, %r2; @%p2 bra DONE;
    mul.wide.u32 %rd5, %t, 4; add.u64 %rd6, %rd0, %rd5; ld.global.u32 %r5, [%rd6]; ld.global.u32 %r5, [%rd6+256];
    DONE:
  )";
  EXPECT_EQ(None(body, {.blocks = 8}), "");
  std::string without = body;
  without.erase(without.find("membar.gl; "), 11);
  EXPECT_EQ(None(without, {.blocks = 1}), "");
  EXPECT_EQ(Races(without, {.blocks = 8}).size(), 1u);
}

// Each block waits for the one before, whose value it continues: decoupled look-back, value and status apart.
std::string LookBack(const std::string& fence, const std::string& store, const std::string& load,
                     const std::string& readers_fence = "") {
  return R"(
    @!%p1 bra DONE;
    mul.wide.u32 %rd5, %b, 4; add.u64 %rd6, %rd0, %rd5; add.u64 %rd7, %rd2, %rd5;
    setp.eq.u32 %p2, %b, 0; mov.u32 %r4, 0; @%p2 bra PUBLISH;
    SPIN:
  )" + load +
         R"( %r3, [%rd7-4]; setp.eq.u32 %p3, %r3, 0; @%p3 bra SPIN;
    )" + readers_fence +
         R"(
    .loc 1 30 0
    ld.global.u32 %r4, [%rd6-4];
    PUBLISH:
    add.u32 %r4, %r4, 1;
    .loc 1 33 0
    st.global.u32 [%rd6], %r4;
  )" + fence +
         "\n" + store + R"( [%rd7], 1;
    DONE:
  )";
}

TEST(GlobalRaceTest, DecoupledLookBackWithSeparateStatusAndValue) {
  for (int host_threads : {1, 2}) {
    RaceOptions how{.blocks = 60, .host_threads = host_threads};
    EXPECT_EQ(None(LookBack("membar.gl;", "st.volatile.global.u32", "ld.volatile.global.u32", "membar.gl;"), how), "");
    EXPECT_EQ(None(LookBack("membar.gl;", "st.relaxed.gpu.global.u32", "ld.acquire.gpu.global.u32"), how), "");
    EXPECT_EQ(None(LookBack("fence.acq_rel.gpu;", "st.relaxed.gpu.global.u32", "ld.acquire.gpu.global.u32"), how), "");
    EXPECT_EQ(None(LookBack("", "st.release.gpu.global.u32", "ld.acquire.gpu.global.u32"), how), "");
    EXPECT_EQ(Races(LookBack("", "st.volatile.global.u32", "ld.volatile.global.u32"), how).size(), 1u);
  }
}

TEST(GlobalRaceTest, WhoeverReadsAFlagNeedsAFenceThatReachesTheOtherBlock) {
  RaceOptions how{.blocks = 20};
  const std::string store = "st.volatile.global.u32", load = "ld.volatile.global.u32";
  EXPECT_EQ(Races(LookBack("membar.gl;", store, load), how).size(), 1u);
  EXPECT_EQ(Races(LookBack("membar.gl;", store, load, "membar.cta;"), how).size(), 1u);
  EXPECT_EQ(Races(LookBack("membar.gl;", store, "ld.relaxed.gpu.global.u32"), how).size(), 1u);
  EXPECT_EQ(Races(LookBack("membar.gl;", store, "ld.acquire.cta.global.u32"), how).size(), 2u) << "the flag as well";
}

TEST(GlobalRaceTest, APlainFlagIsARaceItself) {
  // The value's store and load are ordered by nothing, and neither are those of the flag.
  std::vector<Finding> found = Races(LookBack("membar.gl;", "st.global.u32", "ld.global.u32"), {.blocks = 4});
  EXPECT_EQ(found.size(), 2u) << Describe(found);
}

TEST(GlobalRaceTest, StatusAndValuePackedInOneVolatileWordNeedNoFence) {
  EXPECT_EQ(None(R"(
    @!%p1 bra DONE;
    mul.wide.u32 %rd5, %b, 8; add.u64 %rd7, %rd2, %rd5; setp.eq.u32 %p2, %b, 0; mov.u64 %rd8, 1; @%p2 bra PUBLISH;
    SPIN: ld.volatile.global.u64 %rd8, [%rd7-8]; setp.eq.u64 %p3, %rd8, 0; @%p3 bra SPIN;
    add.u64 %rd8, %rd8, 1;
    PUBLISH: st.volatile.global.u64 [%rd7], %rd8;
    DONE:
  )",
                 {.blocks = 20}),
            "");
}

std::string SpinLock(const std::string& fence, const std::string& fence_after_taking = "membar.gl;") {
  return R"(
    @!%p1 bra DONE;
    SPIN: atom.global.cas.b32 %r1, [%rd3], 0, 1; setp.ne.u32 %p2, %r1, 0; @%p2 bra SPIN;
    )" + fence_after_taking +
         R"(
    ld.global.u32 %r2, [%rd0]; add.u32 %r2, %r2, 1; st.global.u32 [%rd0], %r2;
  )" + fence +
         " atom.global.exch.b32 %r1, [%rd3], 0;\nDONE:";
}

TEST(GlobalRaceTest, ASpinLockWithAFenceProtects) {
  for (int host_threads : {1, 2}) {
    EXPECT_EQ(None(SpinLock("membar.gl;"), {.blocks = 50, .host_threads = host_threads}), "");
  }
  EXPECT_EQ(Races(SpinLock(""), {.blocks = 2}).size(), 1u);
  EXPECT_EQ(Races(SpinLock("membar.gl;", ""), {.blocks = 2}).size(), 1u);
  EXPECT_EQ(Races(SpinLock("membar.gl;", "membar.cta;"), {.blocks = 2}).size(), 1u);
  EXPECT_EQ(Races(SpinLock("membar.cta;", "membar.gl;"), {.blocks = 2}).size(), 1u);
}

TEST(GlobalRaceTest, AnOrderWithinABlockIsHandedOnToOthers) {
  // Warp 0 of block 0 writes and tells warp 1 by a fence of the block; warp 1 tells block 1.
  auto program = [](const std::string& second_fence) {
    return R"(
      and.b32 %r9, %t, 31; setp.ne.u32 %p5, %r9, 0; @%p5 bra DONE; setp.eq.u32 %p2, %b, 1; @%p2 bra OTHER;
      @!%p1 bra SECOND; st.global.u32 [%rd0], 5; membar.cta; atom.global.exch.b32 %r1, [%rd2], 1; bra DONE;
      SECOND: atom.global.add.u32 %r1, [%rd2], 0; setp.ne.u32 %p3, %r1, 1; @%p3 bra SECOND; membar.cta;
      )" + second_fence +
           R"( atom.global.exch.b32 %r1, [%rd2], 2; bra DONE;
      OTHER: @!%p1 bra DONE; WAIT: atom.global.add.u32 %r1, [%rd2], 0; setp.ne.u32 %p3, %r1, 2; @%p3 bra WAIT;
      membar.gl; ld.global.u32 %r2, [%rd0];
      DONE:
    )";
  };
  EXPECT_EQ(None(program("membar.gl;"), {.blocks = 2}), "");
  EXPECT_EQ(Races(program("membar.cta;"), {.blocks = 2}).size(), 1u);
}

TEST(GlobalRaceTest, DataHandedOnThroughAThirdBlockIsOrdered) {
  // Block 0 writes and tells block 1, which tells block 2, which reads what block 0 wrote.
  std::string body = R"(
    @!%p1 bra DONE; setp.eq.u32 %p2, %b, 0; @!%p2 bra LATER;
    st.global.u32 [%rd0], 5; membar.gl; st.volatile.global.u32 [%rd2], 1; bra DONE;
    LATER: mul.wide.u32 %rd5, %b, 4; add.u64 %rd7, %rd2, %rd5;
    SPIN: ld.volatile.global.u32 %r1, [%rd7-4]; setp.eq.u32 %p3, %r1, 0; @%p3 bra SPIN;
    membar.gl; st.volatile.global.u32 [%rd7], 1;
    setp.eq.u32 %p4, %b, 2; @%p4 ld.global.u32 %r2, [%rd0];
    DONE:
  )";
  EXPECT_EQ(None(body, {.blocks = 3}), "");
}

// Block 1: warp 0 waits for block 0's flag and sets a flag in shared memory, for which warp 1 waits.
TEST(GlobalRaceTest, DataHandedOnThroughAFlagInSharedMemoryIsOrdered) {
  auto program = [](const std::string& fence) {
    return R"(
      mov.u32 %r7, last; @%p1 st.shared.u32 [%r7], 0; bar.sync 0;
      and.b32 %r9, %t, 31; setp.ne.u32 %p5, %r9, 0; @%p5 bra DONE; setp.eq.u32 %p2, %b, 1; @%p2 bra OTHER;
      @!%p1 bra DONE; st.global.u32 [%rd0], 5; membar.gl; atom.global.exch.b32 %r1, [%rd2], 1; bra DONE;
      OTHER: @!%p1 bra SECOND;
      WAIT: atom.global.add.u32 %r1, [%rd2], 0; setp.ne.u32 %p3, %r1, 1; @%p3 bra WAIT;
      membar.gl; atom.shared.exch.b32 %r1, [%r7], 77; bra DONE;
      SECOND: atom.shared.add.u32 %r1, [%r7], 0; setp.ne.u32 %p3, %r1, 77; @%p3 bra SECOND;
    )" + fence +
           "ld.global.u32 %r2, [%rd0];\nDONE:";
  };
  EXPECT_EQ(None(program("membar.gl;"), {.blocks = 2}), "");
  EXPECT_EQ(Races(program(""), {.blocks = 2}).size(), 1u);
}

TEST(GlobalRaceTest, AtomicsInSharedMemoryDoNotMakeTheSearchForOtherBlocksLonger) {
  // Block 0 writes what block 1 reads. Before it reads, block 1 executes more atomics than kMaxSteps of
  // happens_before.cc. None of them can order the two, so the race must be found.
  auto program = [](const std::string& before_the_read) {
    return R"(
      setp.eq.u32 %p2, %b, 0; @!%p2 bra COUNT; @%p1 st.global.u32 [%rd0], 1; ret;
      COUNT: mov.u32 %r7, tile; shl.b32 %r8, %t, 2; add.u32 %r7, %r7, %r8; st.shared.u32 [%r7], 0;
      mov.u32 %r1, 0; membar.gl;
      AGAIN: atom.shared.add.u32 %r2, [%r7], 1; add.u32 %r1, %r1, 1; setp.lt.u32 %p3, %r1, 400; @%p3 bra AGAIN;
    )" + before_the_read +
           "ld.global.u32 %r3, [%rd0]; st.global.u32 [%at1], %r3;";
  };
  for (const char* before_the_read : {"", "bar.sync 0;", "bar.sync 0; atom.shared.add.u32 %r2, [%r7], 1; membar.gl;"}) {
    EXPECT_EQ(Races(program(before_the_read), {.blocks = 2}).size(), 1u) << before_the_read;
  }
}

// Block 0 writes. Block 1 hands a counter over to itself `hand_overs` times, and then reads what block 0 wrote.
std::string AfterHandOvers(int hand_overs) {
  return "@!%p1 exit; setp.eq.u32 %p2, %b, 0; @!%p2 bra COUNT; st.global.u32 [%rd0], 1; ret;\n"
         "COUNT: mov.u32 %r1, 0;\n"
         "AGAIN: membar.gl; atom.global.add.u32 %r2, [%rd2], 1; membar.gl; add.u32 %r1, %r1, 1; setp.lt.u32 %p3, "
         "%r1, " +
         std::to_string(hand_overs) + "; @%p3 bra AGAIN;\nld.global.u32 %r3, [%rd0]; st.global.u32 [%rd1], %r3;";
}

TEST(GlobalRaceTest, ASearchThatRunsOutOfItsBudgetSaysNothing) {
  EXPECT_EQ(Races(AfterHandOvers(100), {.blocks = 2, .threads = 32}).size(), 1u);
  // More than kMaxSteps of happens_before.cc.
  EXPECT_EQ(None(AfterHandOvers(25'000), {.blocks = 2, .threads = 32}), "");
}

TEST(GlobalRaceTest, AGridBarrierOrdersAllBlocks) {
  // As cooperative groups do it: a barrier, a fence and a counted release by the first thread, then a spin.
  std::string barrier = R"(
    bar.sync 0; @!%p1 bra WAITED; fence.acq_rel.gpu; atom.add.release.gpu.global.u32 %r1, [%rd3], 1;
    SPIN: ld.acquire.gpu.global.u32 %r1, [%rd3]; setp.lt.u32 %p2, %r1, %n; @%p2 bra SPIN;
    WAITED: bar.sync 0;
  )";
  std::string body =
      "st.global.u32 [%at0], %t;" + barrier +
      "sub.u32 %r5, %n, %b; sub.u32 %r5, %r5, 1; mad.lo.u32 %r5, %r5, %r0, %t; mul.wide.u32 %rd5, %r5, 4; "
      "add.u64 %rd6, %rd0, %rd5; ld.global.u32 %r6, [%rd6];";
  EXPECT_EQ(Describe(Races(body, {.blocks = 6}, true)), "");
  EXPECT_EQ(Describe(Races(body, {.blocks = 6, .host_threads = 2}, true)), "");
}

TEST(GlobalRaceTest, FindingsDoNotDependOnTheNumberOfHostThreads) {
  std::string body = ".loc 1 4 0\nst.global.u32 [%rd0], %b;\n.loc 1 5 0\nst.global.u32 [%at0+4], %t;";
  std::vector<Finding> one = Races(body, {.blocks = 64}), two = Races(body, {.blocks = 64, .host_threads = 2});
  ASSERT_EQ(one.size(), two.size());
  for (size_t k = 0; k < one.size(); ++k) {
    EXPECT_EQ(one[k].line, two[k].line);
    EXPECT_EQ(one[k].other_line, two[k].other_line);
  }
}

TEST(GlobalRaceTest, CanBeSwitchedOffAlone) {
  DeviceOptions options = KernelHarness::OneHostThread();
  options.checks.global_races = false;
  KernelHarness harness(options);
  harness.Load(Kernel("st.global.u32 [%rd0], %g;"));
  EXPECT_EQ(Describe(harness.Launch({4}, {32}, {harness.Allocate(64)}).findings), "");
}

}  // namespace
}  // namespace warpgrade::emulator
