// What a finding advises for a race of two blocks: a fence where a flag announces the data, and otherwise no fence.
#include <gtest/gtest.h>

#include "tests/emulator/exec/kernel_harness.h"

namespace warpgrade::emulator {
namespace {

std::string InLine(int line, const std::string& code) { return "\n.loc 1 " + std::to_string(line) + " 0\n" + code; }

// The races of `body` with four blocks. p0 and p1 are arrays of zeros. %rd8 is the address of this block's element of
// p0, %rd9 of the next block's, and %r20 the number of the block.
std::vector<Finding> GridRaces(const std::string& body, uint32_t threads = 1, bool cooperative = false) {
  const std::string addresses =
      "mov.u32 %r20, %ctaid.x; mul.wide.u32 %rd8, %r20, 4; add.u64 %rd8, %rd8, %rd0;"
      "add.u32 %r21, %r20, 1; and.b32 %r21, %r21, 3; mul.wide.u32 %rd9, %r21, 4; add.u64 %rd9, %rd9, %rd0;";
  DeviceOptions options = KernelHarness::OneHostThread();
  options.checks.uninitialised = false;
  KernelHarness harness(options);
  harness.Load(Kernel(addresses + body, ".file 1 \"lab.cu\"\n.shared .align 4 .b8 last[4];\n"));
  return harness.Launch({4}, {threads}, {harness.Allocate(4096), harness.Allocate(4096)}, 0, cooperative).findings;
}

// The only race of `body`.
Finding GridRace(const std::string& body, uint32_t threads = 1, bool cooperative = false) {
  const std::vector<Finding> found = GridRaces(body, threads, cooperative);
  EXPECT_EQ(found.size(), 1u) << Describe(found);
  return found.empty() ? Finding{} : found[0];
}

const std::string kWrite = InLine(10, "st.global.u32 [%rd8], 7;");
const std::string kReadInBlock0 =
    InLine(15,
           "setp.ne.u32 %p1, %r20, 0; @%p1 bra DONE; ld.global.u32 %r9, [%rd9]; st.global.u32 [%rd1], %r9; "
           "DONE: ret;");
constexpr const char* kNoOrder = "blocks run in any order, and nothing orders these two";

// --- no flag

TEST(GridAdviceTest, DataThatNoFlagAnnouncesWantsASecondLaunch) {
  const Finding race = GridRace(kWrite + "bar.sync 0;" + kReadInBlock0);
  EXPECT_NE(race.message.find(kNoOrder), std::string::npos) << race.message;
  EXPECT_EQ(race.advice,
            "end the kernel after line 10, and read in a second launch; or let only the last block read: each block "
            "executes a __threadfence() after line 10 and then counts with atomicAdd(), and the block that counts last "
            "executes another __threadfence() and then reads; or, for one sum, let each block add its value with "
            "atomicAdd()");
}

TEST(GridAdviceTest, AFenceWithoutAFlagIsSaidToBeNoHelp) {
  const Finding race = GridRace(kWrite + "membar.gl;" + kReadInBlock0);
  EXPECT_NE(race.message.find(kNoOrder), std::string::npos) << race.message;
  EXPECT_EQ(race.advice.substr(0, 29), "end the kernel after line 10,");
  EXPECT_NE(race.advice.find("; a __threadfence() alone makes no block wait"), std::string::npos) << race.advice;
}

// Each block counts, but nobody looks at the counter.
TEST(GridAdviceTest, ACounterThatNobodyReadsIsNoFlag) {
  const Finding race = GridRace(kWrite + InLine(12, "red.global.add.u32 [%rd1+64], 1;") + kReadInBlock0);
  EXPECT_EQ(race.advice.substr(0, 29), "end the kernel after line 10,");
}

TEST(GridAdviceTest, AnAtomicSumThatIsReadInTheSameLaunchIsReadTooEarly) {
  const Finding race = GridRace(InLine(10, "red.global.add.u32 [%rd0+4], 1;") + kReadInBlock0);
  EXPECT_EQ(race.advice.substr(0, 29), "end the kernel after line 10,");
  EXPECT_EQ(race.advice.find("for one sum"), std::string::npos) << race.advice;
}

TEST(GridAdviceTest, AStartValueBelongsBeforeTheLaunch) {
  const Finding race = GridRace(InLine(8, "setp.ne.u32 %p1, %r20, 3; @%p1 bra ADD; st.global.u32 [%rd0], 0;") +
                                InLine(10, "ADD: red.global.add.u32 [%rd0], 1;"));
  EXPECT_EQ(race.advice.substr(0, 59), "set the start value before the launch, with cudaMemsetAsync");
}

TEST(GridAdviceTest, AnUpdateInPlaceWantsAnotherArray) {
  const Finding race = GridRace(InLine(10, "ld.global.u32 %r9, [%rd9];") + InLine(12, "st.global.u32 [%rd8], %r9;"));
  EXPECT_EQ(
      race.advice,
      "let no block write data that another block uses: write to another array, or split the kernel into two launches");
}

TEST(GridAdviceTest, ALoopWhoseIterationsNeedOtherBlocksWantsALaunchForEach) {
  const Finding race = GridRace(InLine(9, "mov.u32 %r8, 0; LOOP:") + InLine(10, "ld.global.u32 %r9, [%rd9];") +
                                "bar.sync 0;" + InLine(12, "st.global.u32 [%rd8], %r9; bar.sync 0;") +
                                InLine(9, "add.u32 %r8, %r8, 1; setp.lt.u32 %p1, %r8, 4; @%p1 bra LOOP;"));
  EXPECT_NE(race.advice.find("; if an iteration of the loop in line 9 needs what other blocks wrote in the one before, "
                             "let each iteration be a launch of its own"),
            std::string::npos)
      << race.advice;
}

TEST(GridAdviceTest, AStoreThatTheCompilerHasUnrolledIsOneStore) {
  const Finding race = GridRace(InLine(10, "st.global.u32 [%rd8], 7; st.global.u32 [%rd9], 8;"));
  EXPECT_EQ(race.advice.substr(0, 44), "let each element be written by one block: do");
}

// --- a counter

// Every block writes line 10 and counts in line 12. The last one reads in line 15.
std::string LastBlockReads(const std::string& before, const std::string& after) {
  return kWrite + before + InLine(12, "atom.global.add.u32 %r6, [%rd1+64], 1;") + after +
         InLine(14, "setp.ne.u32 %p1, %r6, 3; @%p1 bra DONE;") +
         InLine(15, "ld.global.u32 %r9, [%rd9]; st.global.u32 [%rd1], %r9; DONE: ret;");
}
const std::string kFence = InLine(11, "membar.gl;"), kFenceAfter = InLine(13, "membar.gl;");

TEST(GridAdviceTest, ACounterWithoutFencesGetsBoth) {
  const Finding race = GridRace(LastBlockReads("", ""));
  EXPECT_NE(race.message.find("; nothing orders the two blocks: there is no __threadfence() before the atomic in line "
                              "12, which tells other blocks that line 10 is done, and none after it"),
            std::string::npos)
      << race.message;
  EXPECT_EQ(race.advice,
            "put a __threadfence() between line 10 and line 12, and another one between line 12 and line 15");
  EXPECT_EQ(GridRaces(LastBlockReads(kFence, kFenceAfter)).size(), 0u);
}

TEST(GridAdviceTest, ACounterWithOneFenceGetsTheOther) {
  EXPECT_EQ(GridRace(LastBlockReads("", kFenceAfter)).advice, "put a __threadfence() between line 10 and line 12");
  // The check takes the fence before the counter for one on both sides, as CUDA's sample has it.
  EXPECT_EQ(GridRaces(LastBlockReads(kFence, "")).size(), 0u);
}

TEST(GridAdviceTest, ACounterThatTheLastBlockSetsBackWantsAnAtomicOrFences) {
  const auto counts = [](const std::string& fence, const std::string& reset) {
    return fence + InLine(12, "atom.global.add.u32 %r6, [%rd1], 1;") + fence +
           InLine(14, "setp.ne.u32 %p1, %r6, 3; @%p1 bra DONE;") + InLine(16, reset + " DONE: ret;");
  };
  const std::string plain = "st.global.u32 [%rd1], 0;";
  EXPECT_EQ(
      GridRace(counts("", plain)).advice,
      "set the value in line 16 with atomicExch(), or put a __threadfence() before line 12 and another one between "
      "line 12 and line 16");
  EXPECT_EQ(Describe(GridRaces(counts("membar.gl;", plain))), "");
  EXPECT_EQ(Describe(GridRaces(counts("", "atom.global.exch.b32 %r7, [%rd1], 0;"))), "");
}

// All threads write; thread 0 alone has the fence and counts.
TEST(GridAdviceTest, BeforeOneThreadCountsForTheBlockThereMustBeABarrier) {
  const auto last_block = [](const std::string& barrier, const std::string& fence) {
    return InLine(10, "mul.wide.u32 %rd10, %t, 16; add.u64 %rd10, %rd10, %rd8; st.global.u32 [%rd10], 7;") + barrier +
           InLine(11, "setp.ne.u32 %p1, %t, 0; @%p1 bra JOIN;") + fence +
           InLine(12, "atom.global.add.u32 %r6, [%rd1+64], 1;") + fence +
           InLine(13, "st.shared.u32 [last], %r6; JOIN: bar.sync 0; ld.shared.u32 %r6, [last];") +
           InLine(14, "setp.ne.u32 %p2, %r6, 3; @%p2 bra DONE;") +
           InLine(15, "mul.wide.u32 %rd11, %t, 16; add.u64 %rd11, %rd11, %rd9; ld.global.u32 %r9, [%rd11]; DONE: ret;");
  };
  EXPECT_EQ(GridRace(last_block("", "membar.gl;"), 64).advice,
            "put a __syncthreads() between line 10 and the __threadfence() before line 12");
  EXPECT_EQ(GridRace(last_block("", ""), 64).advice,
            "put a __syncthreads() and then a __threadfence() between line 10 and line 12, and another one between "
            "line 12 and line 15");
  EXPECT_EQ(GridRace(last_block("bar.sync 0;", ""), 64).advice,
            "put a __threadfence() between line 10 and line 12, and another one between line 12 and line 15");
  EXPECT_EQ(GridRaces(last_block("bar.sync 0;", "membar.gl;"), 64).size(), 0u);
}

// --- a flag

// Block 0 writes line 10 and sets the flag in line 12. The others wait in line 14 and read in line 16.
std::string HandsOver(const std::string& before, const std::string& after,
                      const std::string& set = "st.volatile.global.u32 [%rd1], 1;") {
  return InLine(9, "setp.ne.u32 %p1, %r20, 0; @%p1 bra WAIT;") + InLine(10, "st.global.u32 [%rd0], 7;") + before +
         InLine(12, set + " bra DONE; WAIT:") +
         InLine(14, "ld.volatile.global.u32 %r6, [%rd1]; setp.eq.u32 %p2, %r6, 0; @%p2 bra WAIT;") + after +
         InLine(16, "ld.global.u32 %r9, [%rd0]; DONE: ret;");
}

TEST(GridAdviceTest, AFlagWithoutFencesGetsBoth) {
  const Finding race = GridRace(HandsOver("", ""));
  EXPECT_NE(race.message.find("there is no __threadfence() before line 12, which tells other blocks that line 10 is "
                              "done, and none after line 14, which waits for the other block"),
            std::string::npos)
      << race.message;
  EXPECT_EQ(race.advice,
            "put a __threadfence() between line 10 and line 12, and another one between line 14 and line 16");
  EXPECT_EQ(GridRaces(HandsOver("membar.gl;", "membar.gl;")).size(), 0u);
}

TEST(GridAdviceTest, AFlagWithOneFenceGetsTheOther) {
  EXPECT_EQ(GridRace(HandsOver("", "membar.gl;")).advice, "put a __threadfence() between line 10 and line 12");
  const Finding race = GridRace(HandsOver("membar.gl;", ""));
  EXPECT_NE(race.message.find("there is no __threadfence() after line 14, which waits for the other block"),
            std::string::npos)
      << race.message;
  EXPECT_EQ(race.advice, "put a __threadfence() between line 14 and line 16");
}

TEST(GridAdviceTest, AFlagThatAPlainStoreSetsWantsAnAtomic) {
  for (const Finding& race : GridRaces(HandsOver("membar.gl;", "membar.gl;", "st.global.u32 [%rd1], 1;"))) {
    if (race.line != 14) continue;
    EXPECT_NE(race.message.find("; line 14 reads this value as a flag, but line 12 is a plain write"),
              std::string::npos)
        << race.message;
    EXPECT_EQ(race.advice.substr(0, 80),
              "set the flag in line 12 with atomicExch(), or through a pointer to volatile; the");
    return;
  }
  ADD_FAILURE() << "no race in line 14";
}

// Blocks 0 to 2 would wait while the flag is 5, which it never is.
TEST(GridAdviceTest, AFlagForWhichNobodyWaitsIsNotAMissingFence) {
  std::string body = HandsOver("membar.gl;", "membar.gl;");
  body.replace(body.find("setp.ne.u32 %p1, %r20, 0"), 24, "setp.ne.u32 %p1, %r20, 3");
  body.replace(body.find("setp.eq.u32 %p2, %r6, 0"), 23, "setp.eq.u32 %p2, %r6, 5");
  const Finding race = GridRace(body);
  EXPECT_NE(race.message.find("the fences are there"), std::string::npos) << race.message;
  EXPECT_EQ(race.advice.substr(0, 65), "let the second block wait for the flag that line 12 sets for this");
}

// The writer sets the flag with an atomic, and the others poll it with another one.
TEST(GridAdviceTest, AnAtomicThatPollsIsNotTheOneThatAnnounces) {
  std::string body = HandsOver("", "", "atom.global.exch.b32 %r7, [%rd1], 1;");
  body.replace(body.find("ld.volatile.global.u32 %r6, [%rd1]"), 34, "atom.global.add.u32 %r6, [%rd1], 0");
  EXPECT_EQ(GridRace(body).advice,
            "put a __threadfence() between line 10 and line 12, and another one between line 14 and line 16");
}

// --- a cooperative launch

TEST(GridAdviceTest, ACooperativeLaunchWantsABarrierOfTheGrid) {
  const Finding race = GridRace(kWrite + "bar.sync 0;" + InLine(15, "ld.global.u32 %r9, [%rd9];"), 1, true);
  EXPECT_EQ(race.advice,
            "put a grid.sync() between line 10 and line 15, where all threads of all blocks reach it: a "
            "__syncthreads() waits for one block only");
}

}  // namespace
}  // namespace warpgrade::emulator
