// What a race's finding advises: the barrier that is missing and its exact place, an atomic, or a fence.
#include <gtest/gtest.h>

#include "tests/emulator/exec/kernel_harness.h"

namespace warpgrade::emulator {
namespace {

constexpr const char* kScope =
    ".file 1 \"lab.cu\"\n.shared .align 16 .b8 tile[4096];\n.shared .align 16 .b8 rows[4096];\n";
// %r1: the thread's own word of `tile`; %r2: that of thread (tid + 1) % ntid; %r3: of thread tid ^ 1.
constexpr const char* kAddresses = R"(
  mov.u32 %r1, tile; shl.b32 %r4, %t, 2; add.u32 %r1, %r1, %r4;
  add.u32 %r5, %t, 1; rem.u32 %r5, %r5, %r0; shl.b32 %r5, %r5, 2; mov.u32 %r2, tile; add.u32 %r2, %r2, %r5;
  xor.b32 %r5, %t, 1; shl.b32 %r5, %r5, 2; mov.u32 %r3, tile; add.u32 %r3, %r3, %r5;
)";

std::vector<Finding> Races(const std::string& body, uint32_t threads, uint32_t blocks = 1) {
  DeviceOptions options = KernelHarness::OneHostThread();
  options.checks.uninitialised = false;
  KernelHarness harness(options);
  harness.Load(Kernel(kAddresses + body, kScope));
  Ran ran = harness.Launch({blocks}, {threads}, {harness.Allocate(4096), harness.Allocate(4096), 3});
  EXPECT_EQ(ran.status, LaunchStatus::kOk) << Describe(ran.findings);
  return ran.findings;
}
std::string At(int line) { return "\n.loc 1 " + std::to_string(line) + " 0\n"; }

// The advice of the only race of `body`.
std::string Advice(const std::string& body, uint32_t threads, uint32_t blocks = 1) {
  const std::vector<Finding> found = Races(body, threads, blocks);
  EXPECT_EQ(found.size(), 1u) << Describe(found);
  return found.empty() ? "" : found[0].advice;
}

TEST(RaceAdviceTest, ABarrierBelongsBeforeTheLineThatReads) {
  EXPECT_EQ(Advice(At(10) + "st.shared.u32 [%r1], %t;" + At(12) + "ld.shared.u32 %r6, [%r2];", 64),
            "put a __syncthreads() before line 12, where every thread of the block reaches it");
}

TEST(RaceAdviceTest, InGlobalMemoryAnIndexMayBeWrongInstead) {
  EXPECT_EQ(
      Advice(At(10) + "st.global.u32 [%at0], %t;" + At(12) + "ld.global.u32 %r6, [%at0+4];", 64),
      "put a __syncthreads() before line 12, where every thread of the block reaches it; if no two threads should "
      "use the same element, an index is wrong instead");
}

TEST(RaceAdviceTest, ABarrierBelongsBeforeTheBranchThatReads) {
  const std::string store_in_branch =
      At(8) + "setp.lt.u32 %p1, %t, 48; @!%p1 bra READ;" + At(9) + "st.shared.u32 [%r1], %t;" + At(12);
  EXPECT_EQ(Advice(store_in_branch + "READ: setp.lt.u32 %p2, %t, 40; @!%p2 bra DONE;" + At(13) +
                       "ld.shared.u32 %r6, [%r2]; st.global.u32 [%at0], %r6; DONE: st.global.u32 [%at1], 0;",
                   64),
            "put a __syncthreads() before line 12, where every thread of the block reaches it");
}

TEST(RaceAdviceTest, ABarrierBelongsBeforeTheLoopThatReads) {
  EXPECT_EQ(Advice(At(10) + "st.shared.u32 [%r1], %t;" + At(12) + "mov.u32 %r8, 0; LOOP:" + At(13) +
                       "shl.b32 %r9, %r8, 2; add.u32 %r9, %r9, %r2; ld.shared.u32 %r6, [%r9+256];" + At(12) +
                       "add.u32 %r8, %r8, 1; setp.lt.u32 %p1, %r8, 3; @%p1 bra LOOP;",
                   256),
            "put a __syncthreads() before line 12, where every thread of the block reaches it");
}

TEST(RaceAdviceTest, InABranchThatSomeThreadsTakeTheBarrierMustStandOutside) {
  const std::string advice =
      Advice(At(8) + "setp.lt.u32 %p1, %t, 64; @!%p1 bra DONE;" + At(9) + "st.shared.u32 [%r1], %t;" + At(10) +
                 "ld.shared.u32 %r6, [%r1+128]; DONE: st.global.u32 [%at1], 0;",
             128);
  EXPECT_EQ(advice.substr(0, 79), "put a __syncthreads() between line 9 and line 10, outside of the branch or loop");
}

TEST(RaceAdviceTest, TheLastWarpAloneGetsASyncwarp) {
  const auto last_warp = [](const std::string& between) {
    return At(8) + "setp.lt.u32 %p1, %t, 32; @!%p1 bra DONE;" + At(9) + "st.shared.u32 [%r1], %t;" + between + At(10) +
           "ld.shared.u32 %r6, [%r3]; DONE: st.global.u32 [%at1], 0;";
  };
  EXPECT_EQ(Advice(last_warp(""), 128),
            "put a __syncwarp() between line 9 and line 10, because the lanes of a warp do not run in lockstep");
  EXPECT_EQ(Races(last_warp("bar.warp.sync -1;"), 128).size(), 0u);
}

// The compiler turns the `if` into an early exit of the other threads.
TEST(RaceAdviceTest, TheLastWarpAtTheKernelsEndGetsASyncwarp) {
  const auto last_warp = [](const std::string& condition) {
    return At(8) + condition + " @%p1 bra DONE;" + At(9) + "st.shared.u32 [%r1], %t;" + At(10) +
           "ld.shared.u32 %r6, [%r3]; DONE: ret;";
  };
  EXPECT_EQ(Advice(last_warp("setp.gt.u32 %p1, %t, 31;"), 128),
            "put a __syncwarp() between line 9 and line 10, because the lanes of a warp do not run in lockstep");
  // Threads past the end of an array leave; a barrier of the block may follow.
  EXPECT_EQ(Advice(last_warp("mov.u32 %r7, %ctaid.x; mad.lo.u32 %r7, %r7, %r0, %t; setp.gt.u32 %p1, %r7, 126;"), 128),
            "put a __syncthreads() before line 10, where every thread of the block reaches it");
}

TEST(RaceAdviceTest, WhereAllThreadsPassASyncthreadsIsAdvisedThoughOneWarpRaced) {
  EXPECT_EQ(Advice(At(9) + "st.shared.u32 [%r1], %t;" + At(10) + "ld.shared.u32 %r6, [%r3];", 128),
            "put a __syncthreads() before line 10, where every thread of the block reaches it");
}

TEST(RaceAdviceTest, AWarpThatReadsWhatOtherLanesWriteSplitsTheLine) {
  EXPECT_EQ(Advice(At(9) + "ld.shared.u32 %r6, [%r1+64]; ld.shared.u32 %r7, [%r1]; add.u32 %r6, %r6, %r7; "
                           "st.shared.u32 [%r1], %r6; bar.warp.sync -1;",
                   32),
            "read into a variable first, then __syncwarp(), then write: line 9 reads what other threads write, unless "
            "an index in it is wrong");
}

// Only thread 0 stores in line 9, and the threads with an element read in line 12. The last block has 11 elements, so
// there only one warp races; in other blocks others may.
TEST(RaceAdviceTest, ABranchByElementGetsABarrierOfTheBlockThoughOneWarpRaced) {
  const std::string advice =
      Advice(At(9) + "setp.ne.u32 %p1, %t, 0; @%p1 bra JOIN; st.shared.u32 [tile], 1;" + At(10) +
                 "JOIN: mov.u32 %r7, %ctaid.x; mad.lo.u32 %r7, %r7, %r0, %t; setp.gt.u32 %p2, %r7, 10; @%p2 bra DONE;" +
                 At(12) + "ld.shared.u32 %r6, [tile]; st.global.u32 [%at0], %r6; DONE: st.global.u32 [%at1], 0;",
             128);
  EXPECT_EQ(advice, "put a __syncthreads() before line 10, where every thread of the block reaches it");
}

// --- loops

// for (s = 16; s >= 8; s /= 2) s[t] += s[t + s]; as the compiler unrolls it.
TEST(RaceAdviceTest, AWarpThatSplitsALineInALoopIsToldBothBarriersInOrder) {
  std::string turns;
  for (const char* step : {"64", "32"}) {
    turns += At(10) + "ld.shared.u32 %r6, [%r1+" + step +
             "]; ld.shared.u32 %r7, [%r1]; add.u32 %r6, %r6, %r7; st.shared.u32 [%r1], %r6;";
  }
  const std::vector<Finding> found = Races(turns, 32);
  ASSERT_GE(found.size(), 1u);
  EXPECT_EQ(found[0].advice,
            "read into a variable first, then __syncwarp(), then write, and then another __syncwarp() at the end of "
            "the loop's body, after line 10: line 10 reads what other threads write, unless an index in it is wrong");
}

// Iterations of a loop in line 20: a store in line 21, a read of the neighbour's word in line 23.
std::string Loop(const std::string& in_the_middle, const std::string& at_the_end) {
  return At(20) + "mov.u32 %r8, 0; LOOP:" + At(21) + "st.shared.u32 [%r1], %r8; " + in_the_middle + At(23) +
         "ld.shared.u32 %r6, [%r2]; " + at_the_end + At(20) +
         "add.u32 %r8, %r8, 1; setp.lt.u32 %p1, %r8, 4; @%p1 bra LOOP;";
}

TEST(RaceAdviceTest, AMissingBarrierAtTheEndOfALoopsBodyIsSaidToBeThere) {
  const std::vector<Finding> found = Races(Loop("bar.sync 0;", ""), 64);
  ASSERT_EQ(found.size(), 1u) << Describe(found);
  EXPECT_NE(found[0].message.find("no __syncthreads() between one iteration of the loop and the next"),
            std::string::npos)
      << found[0].message;
  EXPECT_EQ(found[0].advice.substr(0, 83),
            "put a __syncthreads() at the end of the body of the loop in line 20, after line 23;");
  EXPECT_EQ(Races(Loop("bar.sync 0;", "bar.sync 0;"), 64).size(), 0u);
}

TEST(RaceAdviceTest, AMissingBarrierInTheMiddleOfALoopIsSaidToBeThere) {
  EXPECT_EQ(Advice(Loop("", "bar.sync 0;"), 64),
            "put a __syncthreads() before line 23, where every thread of the block reaches it");
}

TEST(RaceAdviceTest, ALoopWithoutAnyBarrierNeedsTwo) {
  EXPECT_EQ(Advice(Loop("", ""), 64),
            "put a __syncthreads() before line 23, where every thread of the block reaches it, and another one at the "
            "end of the body of the loop in line 20, after line 23");
}

TEST(RaceAdviceTest, ATreeWithoutBarriersNeedsOneForEachIteration) {
  // for (step = 64; step > 0; step /= 2) if (t < step) s[t] += s[t + step];
  const std::vector<Finding> found =
      Races(At(9) + "mov.u32 %r8, 64; LOOP:" + At(10) +
                "setp.lt.u32 %p2, %t, %r8; @!%p2 bra SKIP; shl.b32 %r9, %r8, 2; add.u32 %r9, %r9, %r1; "
                "ld.shared.u32 %r6, [%r9]; ld.shared.u32 %r7, [%r1]; add.u32 %r6, %r6, %r7; st.shared.u32 [%r1], %r6;" +
                At(9) + "SKIP: shr.u32 %r8, %r8, 1; setp.ne.u32 %p1, %r8, 0; @%p1 bra LOOP;",
            128);
  ASSERT_GE(found.size(), 1u);
  EXPECT_EQ(
      found[0].advice.substr(0, 105),
      "put a __syncthreads() at the end of the body of the loop in line 9, after line 10 and outside of the `if`");
}

TEST(RaceAdviceTest, AnUnrolledLoopIsKnownByItsLines) {
  std::string turns;
  for (int turn = 0; turn < 3; ++turn) {
    turns += At(21) + "st.shared.u32 [%r1], %t; bar.sync 0;" + At(23) + "ld.shared.u32 %r6, [%r2];";
  }
  for (const Finding& f : Races(turns, 64)) {
    EXPECT_EQ(f.advice.substr(0, 67), "put a __syncthreads() at the end of the loop's body, after line 23;");
  }
}

// for (step = 128; step >= 32; step /= 2) { if (t < step) s[t] += s[t + step]; barrier; } as the compiler unrolls it:
// the body's lines 15 and 16 come again, and no instruction has the line of the `for`.
std::string UnrolledTree(const std::string& at_the_beginning) {
  std::string turns;
  for (const char* step : {"128", "64", "32"}) {
    const std::string skip = std::string("SKIP") + step;
    turns += at_the_beginning;
    turns += At(15) + "setp.lt.u32 %p2, %t, " + step + "; @!%p2 bra " + skip;
    turns += "; ld.shared.u32 %r6, [%r1+" + std::to_string(4 * std::stoi(step)) +
             "]; ld.shared.u32 %r7, [%r1]; add.u32 %r6, %r6, %r7; st.shared.u32 [%r1], %r6;" + At(16) + skip +
             ": bar.sync 0;";
  }
  return turns;
}

TEST(RaceAdviceTest, AWriteBeforeAnUnrolledLoopWantsTheBarrierBeforeTheLoop) {
  const std::vector<Finding> found = Races(At(12) + "st.shared.u32 [%r1], %t;" + UnrolledTree(""), 256);
  ASSERT_GE(found.size(), 1u);
  for (const Finding& f : found) {
    EXPECT_EQ(f.advice,
              "put a __syncthreads() before the loop around line 15, where every thread of the block reaches it");
    EXPECT_EQ(f.barrier_line, 0) << "before line 15 is inside of the loop";
  }
}

// Each turn stores in line 14, too, so the barrier belongs into the loop.
TEST(RaceAdviceTest, AWriteInAnUnrolledLoopWantsTheBarrierInTheLoop) {
  const std::vector<Finding> found = Races(UnrolledTree(At(14) + "st.shared.u32 [%r1], %t;"), 256);
  ASSERT_GE(found.size(), 1u);
  for (const Finding& f : found) {
    EXPECT_EQ(f.advice, "put a __syncthreads() before line 15, where every thread of the block reaches it");
  }
}

// A loop over tiles that the compiler has kept, around one over their elements that it has unrolled.
std::string TileLoop(int reads) {
  std::string body = At(20) + "mov.u32 %r8, 0; LOOP:" + At(21) + "st.shared.u32 [%r1], %r8;" + At(24);
  for (int l = 0; l < reads; ++l) body += "ld.shared.u32 %r6, [tile+" + std::to_string(4 * l) + "];";
  return body + At(26) + "bar.sync 0;" + At(20) + "add.u32 %r8, %r8, 1; setp.lt.u32 %p1, %r8, 4; @%p1 bra LOOP;";
}

TEST(RaceAdviceTest, ALineThatReadsManyElementsMayBeInAnUnrolledLoop) {
  const std::string unrolled = Advice(TileLoop(16), 64);
  EXPECT_EQ(unrolled,
            "put a __syncthreads() before line 24, where every thread of the block reaches it; if line 24 is in a "
            "loop that line 21 is not in, put it before that loop");
  EXPECT_EQ(Advice(TileLoop(3), 64),
            "put a __syncthreads() before line 24, where every thread of the block reaches it");
}

// --- atomics, blocks

TEST(RaceAdviceTest, AReadModifyWriteOfOneWordByManyWantsAnAtomic) {
  const std::string count = "and.b32 %r9, %t, 3; shl.b32 %r9, %r9, 2; mov.u32 %r10, tile; add.u32 %r10, %r10, %r9;" +
                            At(7) + "ld.shared.u32 %r6, [%r10]; add.u32 %r6, %r6, 1; st.shared.u32 [%r10], %r6;";
  for (uint32_t threads : {32u, 128u}) {
    for (const Finding& f : Races(count, threads)) EXPECT_EQ(f.advice.substr(0, 16), "use atomicAdd():");
  }
  EXPECT_EQ(Advice(At(7) + "ld.global.u32 %r6, [%rd0]; max.u32 %r6, %r6, %t; setp.eq.u32 %p1, %t, 0; "
                           "@%p1 st.global.u32 [%rd0], %r6;",
                   32, 2)
                .substr(0, 16),
            "use atomicMax():");
}

TEST(RaceAdviceTest, BlocksWantAnotherArrayOrTwoLaunches) {
  EXPECT_EQ(
      Advice("ld.global.u32 %r6, [%at0+4]; bar.sync 0; st.global.u32 [%at0], %r6;", 64, 3),
      "let no block write data that another block uses: write to another array, or split the kernel into two launches");
  EXPECT_EQ(Races(At(7) + "st.global.u32 [%rd0], %t;" + At(8) + "st.global.u32 [%rd0], %r0;", 1, 3).back().advice,
            "let no block write data that another block uses: write to another array, use an atomic, or split the "
            "kernel into two launches");
}

TEST(RaceAdviceTest, WhereOneStoreMeetsItselfInAnotherBlockTheIndexMayLackTheBlock) {
  EXPECT_EQ(Advice("st.global.u32 [%rd0], %t;", 1, 3),
            "let each element be written by one block: does the index contain blockIdx.x? If several blocks must write "
            "one element, use an atomic, or split the kernel into two launches");
}

TEST(RaceAdviceTest, WhereTheWriteIsAnAtomicItIsSaidThatThisOrdersNothing) {
  for (const std::string fence : {"", "membar.gl;"}) {
    EXPECT_EQ(
        Advice("ld.global.u32 %r6, [%at0+4]; bar.sync 0; " + fence + "atom.global.exch.b32 %r7, [%at0], %r6;", 64, 3),
        "let no block write data that another block uses: write to another array, or split the kernel into two "
        "launches; an atomic makes no block wait")
        << fence;
  }
}

TEST(RaceAdviceTest, AnAtomicOfTheBlockShallBeOneOfTheDevice) {
  EXPECT_EQ(Advice("atom.global.cta.add.u32 %r7, [%rd0], 1;", 1, 3),
            "use the atomic function without `_block` in its name: the one with it is for threads of one block");
}

TEST(RaceAdviceTest, WhereThereIsNoFlagTheAdviceSpeaksOfNone) {
  const std::vector<Finding> found =
      Races("ld.global.u32 %r6, [%at0+4]; bar.sync 0; membar.gl; st.global.u32 [%at0], %r6;", 64, 3);
  ASSERT_EQ(found.size(), 1u) << Describe(found);
  EXPECT_EQ(found[0].message.find("flag"), std::string::npos) << found[0].message;
  EXPECT_EQ(found[0].advice,
            "let no block write data that another block uses: write to another array, or split the kernel into two "
            "launches; a __threadfence() makes no block wait");
}

// --- inlined functions

// Line `line` of a function that is inlined where line `call` calls it.
std::string Inlined(int line, int call) {
  return "\n.loc 1 " + std::to_string(call) + " 3\n.loc 1 " + std::to_string(line) +
         " 5, function_name f, inlined_at 1 " + std::to_string(call) + " 3\n";
}

// Each step reads a neighbour's word in line 13 and writes the lane's own in line 14; lines 36 to 38 call it.
TEST(RaceAdviceTest, AFunctionThatIsCalledManyTimesGetsTheBarrierAtItsEnd) {
  std::string steps = At(33) + "setp.lt.u32 %p1, %t, 32; @!%p1 bra DONE;";
  for (int call = 36; call <= 38; ++call) {
    steps += Inlined(13, call) + "ld.volatile.shared.u32 %r6, [%r1+8];" + Inlined(14, call) +
             "st.volatile.shared.u32 [%r1], %r6;";
  }
  const std::vector<Finding> found = Races(steps + "DONE: ret;", 128);
  ASSERT_EQ(found.size() > 0, true);
  for (const Finding& f : found) {
    EXPECT_EQ(f.message.find("iteration of the loop"), std::string::npos) << f.message;
    EXPECT_EQ(f.advice,
              "put a __syncwarp() between line 13 and line 14, because the lanes of a warp do not run in lockstep, and "
              "another one at the end of the function, after line 14");
  }
}

TEST(RaceAdviceTest, TwoCallsOfOneFunctionGetTheBarrierBetweenThem) {
  std::string calls;
  for (int call : {20, 25}) {
    calls +=
        Inlined(8, call) + "st.shared.u32 [%r1], %t; bar.sync 0;" + Inlined(10, call) + "ld.shared.u32 %r6, [%r2];";
  }
  const std::vector<Finding> found = Races(calls, 64);
  ASSERT_GE(found.size(), 1u);
  EXPECT_EQ(found[0].advice, "put a __syncthreads() before line 25, where every thread of the block reaches it");
  EXPECT_EQ(found[0].barrier_line, 25);
}

// A loop in line 20 reads in line 23. Line 25 calls a function above it, whose line 8 writes for the next iteration.
TEST(RaceAdviceTest, AnInlinedFunctionCountsWhereItIsCalled) {
  const std::string advice = Advice(At(20) + "mov.u32 %r8, 0; LOOP:" + At(23) + "ld.shared.u32 %r6, [%r2];" +
                                        Inlined(8, 25) + "st.shared.u32 [%r1], %r8; " + At(26) + "bar.sync 0;" +
                                        At(20) + "add.u32 %r8, %r8, 1; setp.lt.u32 %p1, %r8, 4; @%p1 bra LOOP;",
                                    64);
  EXPECT_EQ(
      advice,
      "put a __syncthreads() before line 25, where every thread of the block reaches it, or write to a buffer that "
      "no thread reads in this iteration");
}

// A loop in line 20 calls a function in line 21. Its line 12 stores, and its line 14 reads; `at_the_end` follows in the
// loop's body.
std::string LoopAroundACall(const std::string& at_the_end, const std::string& store = "st.shared.u32 [%r1], %r8;") {
  return At(20) + "mov.u32 %r8, 0; LOOP:" + Inlined(12, 21) + store + " bar.sync 0;" + Inlined(14, 21) +
         "ld.shared.u32 %r6, [%r2];" + at_the_end + At(20) +
         "add.u32 %r8, %r8, 1; setp.lt.u32 %p1, %r8, 4; @%p1 bra LOOP;";
}

TEST(RaceAdviceTest, ALoopAroundTheCallIsNamedWithTheLineOfTheCall) {
  EXPECT_EQ(Advice(LoopAroundACall(""), 64),
            "put a __syncthreads() at the end of the body of the loop in line 20, after line 21, which calls the "
            "function with both accesses; without it, some threads begin the next iteration while others are still in "
            "this one");
  EXPECT_EQ(Races(LoopAroundACall("bar.sync 0;"), 64).size(), 0u);
}

TEST(RaceAdviceTest, ALoopAroundTheCallMayHaveMoreLinesBehindIt) {
  EXPECT_EQ(Advice(LoopAroundACall(At(23) + "st.global.u32 [%at0], %r6;"), 64).substr(0, 148),
            "put a __syncthreads() at the end of the body of the loop in line 20, after line 23 (line 21 calls the "
            "function with both accesses); without it, some");
}

TEST(RaceAdviceTest, ABranchInsideOfTheFunctionIsOverWhereTheCallIs) {
  const std::string store = "setp.lt.u32 %p2, %t, 48; @!%p2 bra SKIP; st.shared.u32 [%r1], %r8; SKIP:";
  const std::string advice = Advice(LoopAroundACall("", store), 64);
  EXPECT_EQ(advice.find("`if`"), std::string::npos) << advice;
}

TEST(RaceAdviceTest, ABranchAroundTheCallIsNotThePlaceForABarrier) {
  const std::string advice =
      Advice(At(20) + "mov.u32 %r8, 0; LOOP: setp.lt.u32 %p2, %t, 64; @!%p2 bra SKIP;" + Inlined(12, 21) +
                 "st.shared.u32 [%r1], %r8; bar.sync 1, 64;" + Inlined(14, 21) + "ld.shared.u32 %r6, [%r2];" + At(20) +
                 "SKIP: add.u32 %r8, %r8, 1; setp.lt.u32 %p1, %r8, 4; @%p1 bra LOOP;",
             96);
  EXPECT_NE(advice.find("after line 21, which calls the function with both accesses and outside of the `if`"),
            std::string::npos)
      << advice;
}

TEST(RaceAdviceTest, ALoopOfTheInlinedFunctionIsStillTheOneThatIsNamed) {
  EXPECT_EQ(Advice(Inlined(11, 30) + "mov.u32 %r8, 0; LOOP:" + Inlined(12, 30) +
                       "st.shared.u32 [%r1], %r8; bar.sync 0;" + Inlined(14, 30) + "ld.shared.u32 %r6, [%r2];" +
                       Inlined(11, 30) + "add.u32 %r8, %r8, 1; setp.lt.u32 %p1, %r8, 4; @%p1 bra LOOP;",
                   64)
                .substr(0, 83),
            "put a __syncthreads() at the end of the body of the loop in line 11, after line 14;");
}

// A loop in line 20 calls a function whose loop in line 11 begins each iteration but the first with a barrier. So only
// the loop in line 20 goes back to the store without one.
TEST(RaceAdviceTest, OfTwoLoopsTheOneThatGoesBackWithoutABarrierIsNamed) {
  EXPECT_EQ(Advice(At(20) + "mov.u32 %r8, 0; OUTER:" + Inlined(11, 21) +
                       "mov.u32 %r9, 0; bra FIRST; INNER: bar.sync 0; "
                       "FIRST:" +
                       Inlined(12, 21) + "st.shared.u32 [%r1], %r8; bar.sync 0;" + Inlined(14, 21) +
                       "ld.shared.u32 %r6, [%r2];" + Inlined(11, 21) +
                       "add.u32 %r9, %r9, 1; setp.lt.u32 %p2, %r9, 2; @%p2 bra INNER;" + At(20) +
                       "add.u32 %r8, %r8, 1; setp.lt.u32 %p1, %r8, 4; @%p1 bra OUTER;",
                   64)
                .substr(0, 96),
            "put a __syncthreads() at the end of the body of the loop in line 20, after line 21, which calls ");
}

// Line 12 holds a barrier of the block that only some threads reach.
TEST(RaceAdviceTest, ABarrierOfAnInlinedFunctionIsLeftInTheLoopAroundTheCall) {
  KernelHarness harness;
  harness.Load(Kernel(At(20) + "mov.u32 %r8, 0; LOOP:" + Inlined(11, 21) + "setp.lt.u32 %p2, %t, 48; @!%p2 bra SKIP;" +
                          Inlined(12, 21) + "bar.sync 0;" + At(20) +
                          "SKIP: add.u32 %r8, %r8, 1; setp.lt.u32 %p1, %r8, 4; @%p1 bra LOOP; bar.sync 0;",
                      kScope));
  const std::vector<Finding> found = harness.Launch({1}, {64}, {}).findings;
  ASSERT_EQ(found.size(), 1u) << Describe(found);
  EXPECT_EQ(found[0].kind, FindingKind::kBarrierDivergence);
  EXPECT_EQ(found[0].advice,
            "move the barrier out of the branch, and leave it in the loop in line 20, which calls this function in "
            "line 21: all threads of the block must reach it in each iteration");
}

// for (i = 0; i < 3; ++i) f(); as the compiler unrolls it: the lines do not tell where the loop is.
TEST(RaceAdviceTest, AnUnrolledLoopMayBeAroundTheCall) {
  std::string turns;
  for (int turn = 0; turn < 3; ++turn) {
    turns += Inlined(12, 21) + "st.shared.u32 [%r1], %t; bar.sync 0;" + Inlined(14, 21) + "ld.shared.u32 %r6, [%r2];";
  }
  for (const Finding& f : Races(turns, 64)) {
    EXPECT_EQ(f.advice.substr(0, 142),
              "put a __syncthreads() at the end of the loop's body, after line 14, or, if the loop is around the call "
              "in line 21, after that line; without it");
  }
}

TEST(RaceAdviceTest, AReadThatShouldComeFirstIsToldFromOneThatComesTooEarly) {
  const std::string store = At(10) + "st.shared.u32 [%r1], %t;", load = At(12) + "ld.shared.u32 %r6, [%r2];";
  EXPECT_FALSE(Races(store + load, 64).at(0).reads_first);
  EXPECT_TRUE(Races(load + At(14) + "st.shared.u32 [%r1], %t;", 64).at(0).reads_first);
}

// --- one barrier for several races

TEST(RaceAdviceTest, RacesThatOneBarrierEndsGetOneAdvice) {
  const std::vector<Finding> found = Races(At(10) + "st.shared.u32 [%r1], %t; st.shared.u32 [%r1+1024], %t;" + At(12) +
                                               "ld.shared.u32 %r6, [%r2];" + At(13) + "ld.shared.u32 %r6, [%r2+1024];",
                                           64);
  ASSERT_EQ(found.size(), 2u) << Describe(found);
  for (const Finding& f : found) {
    EXPECT_EQ(f.advice, "put a __syncthreads() before line 12, where every thread of the block reaches it");
    EXPECT_EQ(f.barrier_line, 12);
  }
}

TEST(RaceAdviceTest, RacesThatNeedTwoBarriersKeepTheirOwn) {
  const std::vector<Finding> found =
      Races(At(10) + "st.shared.u32 [%r1], %t;" + At(12) + "ld.shared.u32 %r6, [%r2]; bar.sync 0;" + At(14) +
                "st.shared.u32 [%r1+1024], %t;" + At(16) + "ld.shared.u32 %r6, [%r2+1024];",
            64);
  ASSERT_EQ(found.size(), 2u) << Describe(found);
  EXPECT_EQ(found[0].barrier_line + found[1].barrier_line, 12 + 16);
}

// --- the reach

TEST(RaceAdviceTest, SaysWhereTheTwoThreadsAre) {
  EXPECT_EQ(Races("st.shared.u32 [%r1], %t; ld.shared.u32 %r6, [%r3];", 64).at(0).reach, RaceReach::kWarp);
  EXPECT_EQ(Races("st.shared.u32 [%r1], %t; ld.shared.u32 %r6, [%r2];", 64).at(0).reach, RaceReach::kBlock);
  EXPECT_EQ(Races("st.global.u32 [%rd0], %t;", 1, 2).at(0).reach, RaceReach::kGrid);
}

// --- blocks that count how many of them are done

// Block b writes its result in line 10 and counts in line 12. The block that counts `last` reads all results in line
// 15. `fence` stands on both sides of the counter.
std::string LastBlock(const std::string& fence, const std::string& last, const std::string& barrier = "bar.sync 0;") {
  return At(8) + "setp.ne.u32 %p1, %t, 0; @%p1 bra JOIN;" + At(10) + "st.global.u32 [%at0], %t; " + At(11) + fence +
         At(12) + "atom.global.add.u32 %r6, [%rd1], 1; " + At(13) + fence +
         " st.shared.u32 [tile], %r6; JOIN: " + barrier + At(14) + "ld.shared.u32 %r7, [tile]; setp.ne.u32 %p2, %r7, " +
         last + "; @%p2 bra DONE; " + At(15) +
         "shl.b32 %r8, %t, 8; and.b32 %r8, %r8, 768; cvt.u64.u32 %rd8, %r8; add.u64 %rd8, %rd8, %rd0; " +
         "ld.global.u32 %r9, [%rd8]; st.shared.u32 [%r1+1024], %r9; DONE: ret;";
}

TEST(RaceAdviceTest, ACounterThatComesTooEarlyIsNotAMissingFence) {
  for (const Finding& f : Races(LastBlock("membar.gl;", "3"), 64, 4)) {
    EXPECT_NE(f.kind, FindingKind::kGlobalRace) << f.message;
  }
  // As if an earlier launch had left 2 in the counter.
  const std::vector<Finding> found = Races(LastBlock("membar.gl;", "1"), 64, 4);
  ASSERT_EQ(found.size(), 1u) << Describe(found);
  EXPECT_NE(found[0].message.find("had counted in line 12"), std::string::npos) << found[0].message;
  EXPECT_EQ(found[0].advice.substr(0, 52), "set the counter of line 12 to 0 before each launch, ");
}

TEST(RaceAdviceTest, AMissingFenceIsStillAdvised) {
  const std::vector<Finding> found = Races(LastBlock("membar.cta;", "3"), 64, 4);
  ASSERT_GE(found.size(), 1u);
  EXPECT_EQ(found[0].advice,
            "put a __threadfence() between line 10 and line 12, and another one between line 12 and line 15; a "
            "__threadfence_block() orders threads of one block only");
}

TEST(RaceAdviceTest, ARaceOfBlocksThatFollowsFromAReadThatCameTooEarlyIsLeftOut) {
  const std::vector<Finding> found = Races(LastBlock("membar.gl;", "0", ""), 64, 4);
  ASSERT_EQ(found.size(), 1u) << Describe(found);
  EXPECT_EQ(found[0].kind, FindingKind::kSharedRace);
  EXPECT_EQ(found[0].line, 14);
}

// --- the two threads

TEST(RaceAdviceTest, NamesTwoThreads) {
  // All lanes read one word, then lane 0 writes it; and the other way round.
  for (const char* body : {"ld.shared.u32 %r6, [tile]; setp.eq.u32 %p1, %t, 0; @%p1 st.shared.u32 [tile], 1;",
                           "setp.eq.u32 %p1, %t, 0; @%p1 st.shared.u32 [tile], 1; ld.shared.u32 %r6, [tile];"}) {
    const std::vector<Finding> found = Races(body, 32);
    ASSERT_EQ(found.size(), 1u) << body;
    EXPECT_NE(found[0].thread.x, found[0].other_thread.x) << found[0].message;
  }
}

TEST(RaceAdviceTest, NamesThreadsOfTwoWarpsWhereTwoWarpsRace) {
  const std::vector<Finding> found =
      Races(At(10) + "st.shared.u32 [%r1], %t;" + At(12) + "ld.shared.u32 %r6, [%r2];", 64);
  ASSERT_EQ(found.size(), 1u);
  EXPECT_NE(found[0].thread.x / 32, found[0].other_thread.x / 32) << found[0].message;
}

}  // namespace
}  // namespace warpgrade::emulator
