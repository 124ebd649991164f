// The race check on shared memory: what it must find, and what it must never call a race.
#include <gtest/gtest.h>

#include <algorithm>
#include <iterator>
#include <random>
#include <string>
#include <vector>

#include "tests/emulator/exec/kernel_harness.h"

namespace warpgrade::emulator {
namespace {

constexpr const char* kScope = ".file 1 \"lab.cu\"\n.shared .align 16 .b8 tile[4096];\n";
// %r1: the thread's own word; %r2: the word of thread (tid + 1) % ntid; %r3: of thread tid ^ 1.
constexpr const char* kAddresses = R"(
  mov.u32 %r1, tile; shl.b32 %r4, %t, 2; add.u32 %r1, %r1, %r4;
  add.u32 %r5, %t, 1; rem.u32 %r5, %r5, %r0; shl.b32 %r5, %r5, 2; mov.u32 %r2, tile; add.u32 %r2, %r2, %r5;
  xor.b32 %r5, %t, 1; shl.b32 %r5, %r5, 2; mov.u32 %r3, tile; add.u32 %r3, %r3, %r5;
)";

std::vector<Finding> Races(const std::string& body, uint32_t threads, uint32_t blocks = 1) {
  DeviceOptions options = KernelHarness::OneHostThread();
  options.checks.uninitialised = false;  // these kernels read what they like
  KernelHarness harness(options);
  harness.Load(Kernel(kAddresses + body, kScope));
  Ran ran = harness.Launch({blocks}, {threads}, {harness.Allocate(4096)});
  EXPECT_EQ(ran.status, LaunchStatus::kOk) << Describe(ran.findings);
  for (const Finding& f : ran.findings) EXPECT_EQ(f.kind, FindingKind::kSharedRace);
  return ran.findings;
}

TEST(RaceTest, AReadOfANeighboursWordWithoutABarrierIsNamedWithBothLines) {
  std::vector<Finding> found =
      Races(".loc 1 10 0\nst.shared.u32 [%r1], %t;\n.loc 1 11 0\nld.shared.u32 %r6, [%r2];", 64);
  ASSERT_GE(found.size(), 1u);
  EXPECT_EQ(found[0].line, 11);
  EXPECT_EQ(found[0].file, "lab.cu");
  EXPECT_EQ(found[0].access_bytes, 4);
  EXPECT_EQ(found[0].message.substr(0, 5), "read ");
  EXPECT_NE(found[0].message.find("wrote in line 10, with no __sync"), std::string::npos) << found[0].message;
}

TEST(RaceTest, AnAtomicOfAThreadDoesNotHideItsStoreFromTheOtherWarps) {
  // The first lane of each warp adds to a sum that thread 0 has set.
  const std::string set =
      "setp.eq.u32 %p1, %t, 0; and.b32 %r5, %t, 31; setp.eq.u32 %p2, %r5, 0;\n.loc 1 10 0\n"
      "@%p1 st.shared.u32 [tile], 0;\n";
  const std::string add = ".loc 1 11 0\n@%p2 red.shared.add.u32 [tile], 1;\n";
  const std::vector<Finding> found = Races(set + add, 96);
  ASSERT_EQ(found.size(), 1u) << Describe(found);
  EXPECT_EQ(found[0].other_line, 10);
  EXPECT_EQ(found[0].line, 11);
  EXPECT_EQ(Races(set + "bar.sync 0;" + add, 96).size(), 0u);
  EXPECT_EQ(Races(set + add, 32).size(), 0u) << "one thread does all";
}

TEST(RaceTest, ABarrierOrdersEverything) {
  EXPECT_EQ(Races("st.shared.u32 [%r1], %t; bar.sync 0; ld.shared.u32 %r6, [%r2]; bar.sync 0; st.shared.u32 [%r1], 7;",
                  128, 3)
                .size(),
            0u);
}

TEST(RaceTest, AMissingBarrierBeforeTheNextWriteIsFound) {
  std::vector<Finding> found = Races(
      "st.shared.u32 [%r1], %t; bar.sync 0;\n.loc 1 20 0\nld.shared.u32 %r6, [%r2];\n.loc 1 21 0\nst.shared.u32 [%r1], "
      "7;",
      64);
  // The write after a neighbour's read, and the read after a neighbour's write: one pair of lines.
  ASSERT_EQ(found.size(), 1u) << Describe(found);
  const Finding& write = found[0];
  EXPECT_EQ(write.other_line, 20);
  EXPECT_EQ(write.line, 21);
  EXPECT_NE(write.message.find("read in line 20, with no __sync"), std::string::npos) << write.message;
}

TEST(RaceTest, WithinAWarpASyncwarpIsNeededAndIsEnough) {
  std::string with = "st.shared.u32 [%r1], %t; bar.warp.sync -1; ld.shared.u32 %r6, [%r3];";
  std::string without = "st.shared.u32 [%r1], %t; ld.shared.u32 %r6, [%r3];";
  EXPECT_EQ(Races(with, 64).size(), 0u);
  std::vector<Finding> found = Races(without, 32);
  ASSERT_EQ(found.size(), 1u);
  EXPECT_NE(found[0].message.find("with no __syncwarp()"), std::string::npos) << found[0].message;
}

TEST(RaceTest, ASyncwarpDoesNotOrderOtherWarps) {
  EXPECT_GE(Races("st.shared.u32 [%r1], %t; bar.warp.sync -1; ld.shared.u32 %r6, [%r2];", 64).size(), 1u);
}

TEST(RaceTest, TwoWarpsThatWriteOneWordRace) { EXPECT_EQ(Races("st.shared.u32 [tile], %t;", 64).size(), 1u); }

TEST(RaceTest, ReadersDoNotRace) {
  EXPECT_EQ(Races("ld.shared.u32 %r6, [tile]; ld.shared.u32 %r6, [%r2];", 256).size(), 0u);
}

TEST(RaceTest, AtomicsDoNotRaceWithEachOtherButDoWithPlainAccesses) {
  EXPECT_EQ(Races("atom.shared.add.u32 %r6, [tile], 1; red.shared.max.u32 [tile], 3;", 128).size(), 0u);
  EXPECT_GE(Races("atom.shared.add.u32 %r6, [tile], 1; ld.shared.u32 %r6, [tile];", 128).size(), 1u);
}

TEST(RaceTest, BytesOfOneWordBelongToTheirOwnThreads) {
  // char s[256]: s[tid] = x; x = s[tid]; s[tid] = x + 1: four threads share each word but no byte.
  EXPECT_EQ(Races(R"(
    mov.u32 %r7, tile; add.u32 %r7, %r7, %t; st.shared.u8 [%r7], %t; ld.shared.u8 %r6, [%r7]; st.shared.u8 [%r7], %r6;
  )",
                  256)
                .size(),
            0u);
}

TEST(RaceTest, BytesOfOneWordReadByDifferentWarpsDoNotRace) {
  // Thread t owns byte (t * 32) % 128 + t / 4 ...: the four bytes of a word belong to four warps.
  EXPECT_EQ(Races(R"(
    and.b32 %r7, %t, 31; shl.b32 %r7, %r7, 2; shr.u32 %r8, %t, 5; add.u32 %r7, %r7, %r8; mov.u32 %r8, tile; add.u32 %r7, %r7, %r8;
    ld.shared.u8 %r6, [%r7]; bar.warp.sync -1; st.shared.u8 [%r7], %r6;
  )",
                  128)
                .size(),
            0u);
}

TEST(RaceTest, AnEarlierReadBeforeASyncwarpIsOrdered) {
  // v = s[tid ^ 1]; __syncwarp(); s[tid] = s[tid] + v;
  EXPECT_EQ(Races("ld.shared.u32 %r6, [%r3]; bar.warp.sync -1; ld.shared.u32 %r7, [%r1]; add.u32 %r7, %r7, %r6; "
                  "st.shared.u32 [%r1], %r7;",
                  32)
                .size(),
            0u);
}

TEST(RaceTest, TheWarpSynchronousLastStepsOfAReductionNeedSyncwarps) {
  // if (tid < 16) s[tid] += s[tid + 16] and so on in one warp: without __syncwarp a race, with it between read and
  // write none.
  std::string fixed, broken;
  for (int stride : {16, 8, 4, 2, 1}) {
    std::string at = "[%r1+" + std::to_string(4 * stride) + "]";
    fixed += "ld.shared.u32 %r6, " + at +
             "; ld.shared.u32 %r7, [%r1]; add.u32 %r6, %r6, %r7; bar.warp.sync -1; st.shared.u32 [%r1], %r6; "
             "bar.warp.sync -1;\n";
    broken +=
        "ld.shared.u32 %r6, " + at + "; ld.shared.u32 %r7, [%r1]; add.u32 %r6, %r6, %r7; st.shared.u32 [%r1], %r6;\n";
  }
  EXPECT_EQ(Races(fixed, 32).size(), 0u);
  EXPECT_GE(Races(broken, 32).size(), 1u);
}

TEST(RaceTest, ASyncwarpAfterEachStepAloneIsNotEnough) {
  // s[t] += s[t + 16]; __syncwarp(); by one warp: lane 16 writes what lane 0 reads in the same step. Whichever of the
  // two loads comes first, and whichever lanes take part.
  const std::string loads[] = {"ld.shared.u32 %r6, [%r1+64]; ld.shared.u32 %r7, [%r1]; ",
                               "ld.shared.u32 %r7, [%r1]; ld.shared.u32 %r6, [%r1+64]; "};
  const std::string rest = "add.u32 %r6, %r6, %r7; st.shared.u32 [%r1], %r6; bar.warp.sync -1; ";
  const std::string lower = "setp.lt.u32 %p2, %t, 24; @!%p2 bra DONE; ";
  for (const std::string& two : loads) {
    EXPECT_EQ(Races(two + rest, 32).size(), 1u) << two;
    EXPECT_EQ(Races(lower + two + "add.u32 %r6, %r6, %r7; st.shared.u32 [%r1], %r6; DONE:", 32).size(), 1u) << two;
    // With other warps that read the same words before, or with many reads in between.
    EXPECT_GE(Races("ld.shared.u32 %r8, [%r1+128]; " + two + two + rest, 64).size(), 1u) << two;
    EXPECT_EQ(Races(two + "bar.warp.sync -1; " + rest, 32).size(), 0u) << two;
  }
}

TEST(RaceTest, AReadByTheWritersOwnLaneDoesNotHideOneByAnotherLane) {
  // Lane 1 reads the word that lane 0 writes; then lane 0 reads it itself, in a step of its own, as a word or a part of
  // it.
  for (const char* own : {"ld.shared.u32 %r7, [tile];", "ld.shared.u16 %r7, [tile];"}) {
    EXPECT_EQ(Races("setp.eq.u32 %p1, %t, 1; setp.eq.u32 %p2, %t, 0; @%p1 ld.shared.u32 %r6, [tile]; @%p2 " +
                        std::string(own) + " @%p2 st.shared.u32 [tile], 1;",
                    32)
                  .size(),
              1u);
  }
}

TEST(RaceTest, AnEarlierBlockOfTheSameHostThreadLeavesNoTraces) {
  EXPECT_EQ(Races("st.shared.u32 [%r1], %t; bar.sync 0; ld.shared.u32 %r6, [%r2];", 64, 50).size(), 0u);
  EXPECT_EQ(Races("ld.shared.u32 %r6, [%r2];", 64, 50).size(), 0u);
}

// --- columns: the lanes of a warp access words in lines of their own

// %r7: word `warp` of line `lane`; %r8: the same word of the other warp (of two); %p3: this is the first block.
constexpr const char* kColumns = R"(
  and.b32 %r7, %t, 31; shl.b32 %r7, %r7, 7; mov.u32 %r5, tile; add.u32 %r7, %r7, %r5; mov.u32 %r8, %r7;
  shr.u32 %r5, %t, 5; shl.b32 %r5, %r5, 2; add.u32 %r7, %r7, %r5; xor.b32 %r5, %r5, 4; add.u32 %r8, %r8, %r5;
  mov.u32 %r5, %ctaid.x; setp.eq.u32 %p3, %r5, 0;
)";

std::vector<Finding> RacesOfColumns(const std::string& body, uint32_t blocks = 1) {
  return Races(kColumns + body, 64, blocks);
}

TEST(RaceTest, AColumnThatAnotherWarpReadsIsARaceUnlessABarrierStandsBetween) {
  EXPECT_EQ(RacesOfColumns("st.shared.u32 [%r7], %t; ld.shared.u32 %r6, [%r8];").size(), 1u);
  EXPECT_EQ(RacesOfColumns("ld.shared.u32 %r6, [%r8]; st.shared.u32 [%r7], %t;").size(), 1u);
  EXPECT_EQ(RacesOfColumns("st.shared.u32 [%r7], %t; bar.sync 0; ld.shared.u32 %r6, [%r8];").size(), 0u);
  EXPECT_EQ(RacesOfColumns("st.shared.u32 [%r7], %t; st.shared.u32 [%r7+8], %t; ld.shared.u32 %r6, [%r7];").size(), 0u);
}

TEST(RaceTest, TwoWarpsThatWriteOneColumnRace) {
  EXPECT_EQ(RacesOfColumns("and.b32 %r7, %r7, -8; st.shared.u32 [%r7], %t;").size(), 1u);
}

TEST(RaceTest, AColumnAndARowThatMeetRaceUnlessABarrierStandsBetween) {
  for (const char* row : {"ld.shared.u32 %r6, [%r1];", "st.shared.u32 [%r1], %t;", "st.shared.u8 [%r1], %t;"}) {
    EXPECT_GE(RacesOfColumns(std::string("st.shared.u32 [%r7], %t; ") + row).size(), 1u) << row;
    EXPECT_GE(RacesOfColumns(std::string(row) + " st.shared.u32 [%r7], %t;").size(), 1u) << row;
    EXPECT_EQ(RacesOfColumns(std::string("st.shared.u32 [%r7], %t; bar.sync 0; ") + row).size(), 0u) << row;
  }
}

TEST(RaceTest, TheColumnsOfAnEarlierBlockLeaveNoTracesInTheWordsThatTheNextOneTouchesLater) {
  // The first block writes words 8 and 9 of each line; the second touches the lines by other words first.
  const std::string first = "@%p3 st.shared.u32 [%r7+32], %t; @!%p3 ld.shared.u32 %r6, [%r7]; ";
  for (const char* then : {"st.shared.u8 [%r7+32], %t;", "ld.shared.u32 %r6, [%r1];", "ld.shared.u32 %r6, [%r7+32];",
                           "ld.shared.v4.u32 {%r9, %r10, %r11, %r12}, [%r13];"}) {
    EXPECT_EQ(RacesOfColumns("and.b32 %r13, %r7, -16; add.u32 %r13, %r13, 32; " + first + "@!%p3 " + then, 2).size(),
              0u)
        << then;
  }
}

TEST(RaceTest, IsNotLookedForWhenChecksAreOff) {
  DeviceOptions options = KernelHarness::OneHostThread();
  options.checks = false;
  KernelHarness harness(options);
  harness.Load(Kernel("st.shared.u32 [tile], %t;", kScope));
  EXPECT_EQ(Describe(harness.Launch({1}, {64}, {}).findings), "");
}

TEST(RaceTest, VectorAccessesCoverAllTheirWords) {
  std::vector<Finding> found = Races(R"(
    mov.u32 %r7, tile; shl.b32 %r8, %t, 4; add.u32 %r7, %r7, %r8; st.shared.v4.u32 [%r7], {%t, %t, %t, %t};
    ld.shared.u32 %r6, [%r7+12]; ld.shared.u32 %r6, [%r7+28];
  )",
                                     32);
  EXPECT_EQ(found.size(), 1u);
}

TEST(RaceTest, AVectorStoreAndAReadOfAllItsWordsByOthersIsOnePair) {
  EXPECT_EQ(Races(R"(
    mov.u32 %r7, tile; shl.b32 %r8, %t, 4; add.u32 %r7, %r7, %r8; st.shared.v4.u32 [%r7], {%t, %t, %t, %t};
    bar.warp.sync -1; ld.shared.v4.u32 {%r9, %r10, %r11, %r12}, [%r7+16];
  )",
                  32)
                .size(),
            0u);
}

TEST(RaceTest, TheMessageNamesTheVariableAndTheElement) {
  std::vector<Finding> found =
      Races(".loc 1 4 0\nst.shared.u32 [%r1], %t;\n.loc 1 5 0\nld.shared.u32 %r6, [%r3+128];", 64);
  ASSERT_EQ(found.size(), 1u);
  EXPECT_EQ(found[0].message,
            "read element 33 of tile in shared memory that thread (33,0,0) wrote in line 4, with no __syncthreads() "
            "between the two");
}

// --- lanes

TEST(RaceTest, ASyncwarpOfSomeLanesOrdersThoseLanesAlone) {
  // Lanes exchange with their neighbour (tid ^ 1); the pairs of the lower half are synchronised, then all pairs.
  auto program = [](const std::string& mask) {
    return "setp.lt.u32 %p1, %t, 16; @!%p1 bra DONE; st.shared.u32 [%r1], %t; bar.warp.sync " + mask +
           "; ld.shared.u32 %r6, [%r3]; DONE:";
  };
  EXPECT_EQ(Races(program("0xFFFF"), 32).size(), 0u);
  // Each lane for itself: nobody is ordered.
  EXPECT_EQ(Races("st.shared.u32 [%r1], %t; mov.u32 %r9, 1; shl.b32 %r9, %r9, %t; bar.warp.sync %r9; "
                  "ld.shared.u32 %r6, [%r3];",
                  32)
                .size(),
            1u);
}

TEST(RaceTest, AShuffleDoesNotOrderMemory) {
  EXPECT_EQ(
      Races("st.shared.u32 [%r1], %t; shfl.sync.bfly.b32 %r9, %t, 1, 31, -1; ld.shared.u32 %r6, [%r3];", 32).size(),
      1u);
}

TEST(RaceTest, LanesOfOneStoreMayWriteTheSameValue) {
  EXPECT_EQ(Races("st.shared.u32 [tile], 1;", 32).size(), 0u);
  std::vector<Finding> found = Races(
      "shr.u32 %r9, %t, 1; shl.b32 %r9, %r9, 2; mov.u32 %r8, tile; add.u32 %r8, %r8, %r9; "
      "st.shared.u32 [%r8], %t;",
      32);
  ASSERT_EQ(found.size(), 1u);
  EXPECT_NE(found[0].message.find("another value there in the same instruction"), std::string::npos)
      << found[0].message;
}

TEST(RaceTest, StridedElementsOfOneThreadAreItsOwn) {
  // s[2 * tid] and s[2 * tid + 1], read and written by their thread, in any order and more than once.
  EXPECT_EQ(Races(R"(
    shl.b32 %r8, %t, 3; mov.u32 %r7, tile; add.u32 %r7, %r7, %r8;
    ld.shared.u32 %r9, [%r7]; ld.shared.u32 %r10, [%r7+4]; st.shared.u32 [%r7+4], %r9; st.shared.u32 [%r7], %r10;
    ld.shared.v2.u32 {%r9, %r10}, [%r7]; st.shared.u32 [%r7], %r9;
  )",
                  128)
                .size(),
            0u);
}

TEST(RaceTest, StridedWarpSynchronousStepsWithoutSyncwarpAreFound) {
  // s[2 * tid] += s[2 * tid + 2] in one warp.
  EXPECT_EQ(Races(R"(
    shl.b32 %r8, %t, 3; mov.u32 %r7, tile; add.u32 %r7, %r7, %r8;
    ld.shared.u32 %r9, [%r7]; ld.shared.u32 %r10, [%r7+8]; add.u32 %r9, %r9, %r10;
    .loc 1 8 0
    st.shared.u32 [%r7], %r9;
  )",
                  32)
                .size(),
            1u);
}

// --- volatile and fences

TEST(RaceTest, VolatileAloneDoesNotReplaceASyncwarp) {
  EXPECT_EQ(Races("st.volatile.shared.u32 [%r1], %t; ld.volatile.shared.u32 %r6, [%r3];", 32).size(), 1u);
}

TEST(RaceTest, AVolatileFlagAfterABlockFenceHandsDataToAnotherWarp) {
  auto program = [](const std::string& fence) {
    return "@%p15 bra DONE; setp.eq.u32 %p1, %t, 0; @!%p1 bra READER; st.shared.u32 [tile+64], 5; " + fence +
           R"(
      st.volatile.shared.u32 [tile], 1; bra DONE;
      READER: setp.ne.u32 %p2, %t, 32; @%p2 bra DONE;
      SPIN: ld.volatile.shared.u32 %r6, [tile]; setp.eq.u32 %p3, %r6, 0; @%p3 bra SPIN;
      ld.shared.u32 %r7, [tile+64];
      DONE:
    )";
  };
  const std::string clear =
      "setp.ne.u32 %p15, 0, 0; setp.eq.u32 %p1, %t, 0; @%p1 st.shared.u32 [tile], 0; bar.sync 0; ";
  EXPECT_EQ(Races(clear + program("membar.cta;"), 64).size(), 0u);
  EXPECT_GE(Races(clear + program(""), 64).size(), 1u);
}

// --- named barriers

TEST(RaceTest, ANamedBarrierOrdersItsParticipants) {
  // Two pairs of warps, each with its own barrier of 64 threads; warps exchange within the pair.
  auto program = [](const std::string& partner) {
    return "shr.u32 %r9, %t, 6; add.u32 %r9, %r9, 1; xor.b32 %r10, %t, " + partner +
           "; shl.b32 %r10, %r10, 2; mov.u32 %r11, tile; add.u32 %r11, %r11, %r10; st.shared.u32 [%r1], %t; "
           "barrier.sync %r9, 64; ld.shared.u32 %r6, [%r11];";
  };
  EXPECT_EQ(Races(program("32"), 128).size(), 0u);
  EXPECT_EQ(Races(program("64"), 128).size(), 1u);  // of the other pair
}

TEST(RaceTest, ProducersArriveAndConsumersWait) {
  // Warp 0 fills a buffer and arrives at barrier 1; warp 1 waits there, reads, and arrives at barrier 2 for the refill.
  auto program = [](const std::string& refill_wait) {
    return "setp.lt.u32 %p1, %t, 32; and.b32 %r9, %t, 31; shl.b32 %r9, %r9, 2; mov.u32 %r10, tile; "
           "add.u32 %r10, %r10, %r9; @!%p1 bra CONSUMER; "
           "st.shared.u32 [%r10], %t; barrier.arrive 1, 64; " +
           refill_wait +
           "st.shared.u32 [%r10], 7; bra DONE; "
           "CONSUMER: barrier.sync 1, 64; ld.shared.u32 %r6, [%r10]; barrier.arrive 2, 64; DONE:";
  };
  EXPECT_EQ(Races(program("barrier.sync 2, 64; "), 64).size(), 0u);
  EXPECT_EQ(Races(program("barrier.arrive 2, 64; "), 64).size(), 1u);  // does not wait for the consumer
}

TEST(RaceTest, TwoBuffersNeedOneBarrierForEachStep) {
  // Step k writes buffer k & 1 and reads it after the barrier; the next barrier protects it from step k + 2.
  std::string steps;
  for (int k = 0; k < 4; ++k) {
    std::string at = k % 2 == 0 ? "" : "+512";
    steps += "st.shared.u32 [%r1" + at + "], %t; bar.sync 0; ld.shared.u32 %r6, [%r2" + at + "];";
  }
  EXPECT_EQ(Races(steps, 64).size(), 0u);
  // With one buffer the same is a race.
  EXPECT_EQ(Races("st.shared.u32 [%r1], %t; bar.sync 0;\n.loc 1 3 0\nld.shared.u32 %r6, [%r2];\n.loc 1 4 0\n"
                  "st.shared.u32 [%r1], 1; bar.sync 0; ld.shared.u32 %r6, [%r2];",
                  64)
                .size(),
            1u);
}

TEST(RaceTest, AHistogramOfAtomicsThenABarrierThenPlainReads) {
  std::string count =
      "and.b32 %r9, %t, 7; shl.b32 %r9, %r9, 2; mov.u32 %r10, tile; add.u32 %r10, %r10, %r9; "
      "st.shared.u32 [%r1], 0; bar.sync 0; red.shared.add.u32 [%r10], 1; red.shared.add.u32 [%r10], 2; ";
  EXPECT_EQ(Races(count + "bar.sync 0; ld.shared.u32 %r6, [%r1];", 256).size(), 0u);
  EXPECT_EQ(Races(count + "ld.shared.u32 %r6, [%r1];", 256).size(), 1u);
}

TEST(RaceTest, ManyReadersOfOneWordThenAWriteIsFound) {
  std::string reads;
  for (int k = 0; k < 3; ++k) reads += "ld.shared.u32 %r6, [tile+8]; ld.shared.v2.u32 {%r6, %r7}, [tile+8];";
  EXPECT_EQ(Races(reads + "setp.eq.u32 %p1, %t, 77; .loc 1 9 0\n@%p1 st.shared.u32 [tile+8], 1;", 256).size(), 1u);
  EXPECT_EQ(Races(reads + "bar.sync 0; setp.eq.u32 %p1, %t, 77; @%p1 st.shared.u32 [tile+8], 1;", 256).size(), 0u);
}

TEST(RaceTest, TransposedTilesOfManyWarps) {
  // A 32 x 33 tile: rows written, columns read after a barrier; without it, a race.
  auto program = [](const std::string& barrier) {
    return "and.b32 %r9, %t, 31; shr.u32 %r10, %t, 5; mad.lo.u32 %r11, %r10, 33, %r9; mad.lo.u32 %r12, %r9, 33, %r10; "
           "shl.b32 %r11, %r11, 2; shl.b32 %r12, %r12, 2; mov.u32 %r13, big; add.u32 %r11, %r11, %r13; "
           "add.u32 %r12, %r12, %r13; st.shared.u32 [%r11], %t; " +
           barrier + "ld.shared.u32 %r14, [%r12];";
  };
  DeviceOptions options = KernelHarness::OneHostThread();
  for (const char* barrier : {"bar.sync 0; ", ""}) {
    KernelHarness harness(options);
    harness.Load(Kernel(program(barrier), ".shared .align 4 .b8 big[4224];"));
    EXPECT_EQ(harness.Launch({3}, {1024}, {}).findings.size() > 0, std::string(barrier).empty());
  }
}

// Accesses of a tile of 32 x 33 words at %r13 by 8 warps: %r11 is a row's element, %r12 a column's, and %r15 an element
// that other columns do not have. The same findings must come whether reads are looked at when they happen, or only
// before the first write of their barrier interval. A write at the start of an interval, to a word of its own, makes
// all its reads be looked at when they happen.
std::string Sorted(const std::vector<Finding>& findings) {
  std::vector<std::string> lines;
  for (const Finding& f : findings) {
    lines.push_back(std::to_string(f.line) + " " + std::to_string(f.other_line) + " " + std::to_string(f.count) + " " +
                    f.message);
  }
  std::sort(lines.begin(), lines.end());
  std::string text;
  for (const std::string& line : lines) text += line + "\n";
  return text;
}

TEST(RaceTest, ReadsGiveTheSameFindingsWhetherTheyAreLookedAtSoonOrLate) {
  const std::string start =
      "and.b32 %r9, %t, 31; shr.u32 %r10, %t, 5; mad.lo.u32 %r11, %r10, 33, %r9; mad.lo.u32 %r12, %r9, 33, %r10; "
      "shl.b32 %r11, %r11, 2; shl.b32 %r12, %r12, 2; mov.u32 %r13, big; add.u32 %r11, %r11, %r13; "
      "add.u32 %r12, %r12, %r13; xor.b32 %r15, %r9, 5; mad.lo.u32 %r15, %r15, 33, %r10; shl.b32 %r15, %r15, 2; "
      "add.u32 %r15, %r15, %r13; setp.eq.u32 %p1, %t, 0; setp.gt.u32 %p2, %t, 200; setp.gt.u32 %p3, %r9, 20; ";
  const char* kAccesses[] = {
      "ld.shared.u32 %r14, [%r12];",      "ld.shared.u32 %r14, [%r15+16];",   "ld.shared.u32 %r14, [%r11];",
      "ld.shared.u32 %r14, [big+8];",     "@%p3 ld.shared.u32 %r14, [%r12];", "@%p3 ld.shared.u32 %r14, [%r11];",
      "ld.shared.u16 %r14, [%r12+2];",    "ld.shared.u32 %r14, [%r12+64];",   "bar.warp.sync -1;",
      "@%p2 st.shared.u32 [%r12], %t;",   "st.shared.u32 [%r11], %t;",        "@%p2 st.shared.u32 [%r15+16], %t;",
      "red.shared.add.u32 [%r12+32], 1;", "@%p3 st.shared.u8 [%r12+3], %t;",  "bar.sync 0;",
  };
  const std::string write = "@%p1 st.shared.u32 [own], 1; bar.warp.sync -1; ";
  std::mt19937 random(17);
  int racing = 0;
  for (int round = 0; round < 150; ++round) {
    std::string late = start + write + "bar.sync 0; ", soon = start + write + "bar.sync 0; " + write;
    const int reads = static_cast<int>(random() % 5);
    for (int k = 0; k < reads + 3; ++k) {
      // Reads first, then anything.
      const size_t which = random() % (k < reads ? 9 : std::size(kAccesses));
      const std::string text = std::string(".loc 1 ") + std::to_string(10 + k) + " 0\n" + kAccesses[which] + "\n";
      late += text + (which + 1 == std::size(kAccesses) ? "bar.warp.sync -1; " : "");
      soon += text + (which + 1 == std::size(kAccesses) ? write : "");
    }
    const auto findings = [](const std::string& body) {
      DeviceOptions options = KernelHarness::OneHostThread();
      options.checks.uninitialised = false;
      KernelHarness harness(options);
      harness.Load(
          Kernel(body, ".file 1 \"lab.cu\"\n.shared .align 128 .b8 big[4352];\n.shared .align 4 .b8 own[4];\n"));
      return Sorted(harness.Launch({2}, {256}, {}).findings);
    };
    const std::string found = findings(late);
    EXPECT_EQ(found, findings(soon)) << late;
    racing += found.empty() ? 0 : 1;
  }
  EXPECT_GT(racing, 30);
  EXPECT_LT(racing, 140);
}

TEST(RaceTest, MoreReadsThanAreKeptForLaterStillRaceWithTheWriteThatFollows) {
  // 8 warps read a column 300 times each. Then the last thread writes what the first one has read.
  const std::string many =
      "mov.u32 %r13, big; and.b32 %r12, %t, 31; mad.lo.u32 %r12, %r12, 132, %r13; mov.u32 %r9, 0; "
      "AGAIN: ld.shared.u32 %r14, [%r12]; add.u32 %r9, %r9, 1; setp.lt.u32 %p1, %r9, 300; @%p1 bra AGAIN; setp.eq.u32 "
      "%p2, %t, 255; ";
  for (const char* between : {"", "bar.sync 0; "}) {
    KernelHarness harness(KernelHarness::OneHostThread());
    harness.Load(Kernel(many + between + "@%p2 st.shared.u32 [big], 1;", ".shared .align 128 .b8 big[4224];"));
    const Ran ran = harness.Launch({1}, {256}, {});
    const auto races = std::count_if(ran.findings.begin(), ran.findings.end(),
                                     [](const Finding& f) { return f.kind == FindingKind::kSharedRace; });
    EXPECT_EQ(races, std::string(between).empty() ? 1 : 0) << Describe(ran.findings);
  }
}

// Rows of 11 words, 12 words apart: up to three of them share a line of 32 words.
TEST(RaceTest, RowsThatShareALineRaceOnlyWhereTheyMeet) {
  const std::string rows =
      "and.b32 %r9, %t, 31; shr.u32 %r10, %t, 5; mul.lo.u32 %r11, %r10, 12; setp.lt.u32 %p1, %r9, 11; "
      "add.u32 %r11, %r11, %r9; shl.b32 %r11, %r11, 2; mov.u32 %r13, tile; add.u32 %r11, %r11, %r13; "
      ".loc 1 5 0\n@%p1 st.shared.u32 [%r11], %t;\n";
  // The last warp touches the first, the second or the third row, or the words between them.
  const std::string then =
      rows + "setp.eq.u32 %p2, %r10, 3; setp.eq.u32 %p3, %r9, 0; and.pred %p2, %p2, %p3; .loc 1 6 0\n";
  EXPECT_EQ(Races(rows, 128).size(), 0u);
  for (const int word : {0, 10, 12, 22, 24, 34}) {
    const std::string at = "[tile+" + std::to_string(4 * word) + "]";
    for (const std::string& access : {"st.shared.u32 " + at + ", 1;", "ld.shared.u32 %r6, " + at + ";",
                                      "st.shared.u8 " + at + ", 1;", "red.shared.add.u32 " + at + ", 1;"}) {
      const std::vector<Finding> found = Races(then + "@%p2 " + access, 128);
      ASSERT_EQ(found.size(), 1u) << access;
      EXPECT_EQ(found[0].line, 6) << access;
      EXPECT_EQ(found[0].other_line, 5) << access;
      EXPECT_EQ(Races(rows + "bar.sync 0; " + then.substr(rows.size()) + "@%p2 " + access, 128).size(), 0u) << access;
    }
  }
  for (const int word : {11, 23, 35}) {
    EXPECT_EQ(Races(then + "@%p2 st.shared.u32 [tile+" + std::to_string(4 * word) + "], 1;", 128).size(), 0u) << word;
  }
}

}  // namespace
}  // namespace warpgrade::emulator
