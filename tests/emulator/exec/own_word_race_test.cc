// The race check on a word to which one thread adds again and again, as to a sum that is kept in global memory. The
// check has a short way for it, which must find what the long way finds.
#include <gtest/gtest.h>

#include "tests/emulator/exec/kernel_harness.h"

namespace warpgrade::emulator {
namespace {

// Lane 0 of each warp (%p2) adds twice to a word of its own, at %rd5, all in one line. %r1: the warp, %r2: the lane.
constexpr const char* kAdditions = R"(
  shr.u32 %r1, %t, 5; and.b32 %r2, %t, 31; setp.eq.u32 %p2, %r2, 0;
  mul.wide.u32 %rd5, %r1, 4; add.u64 %rd5, %rd5, %rd0;
  .loc 1 7 0
  @%p2 st.global.u32 [%rd5], 0; @%p2 ld.global.u32 %r3, [%rd5]; @%p2 st.global.u32 [%rd5], %r3;
  .loc 1 8 0
  @%p2 ld.global.u32 %r3, [%rd5]; @%p2 st.global.u32 [%rd5], %r3; @%p2 ld.global.u32 %r3, [%rd5];
)";

// What is found in one block of 32 warps that add, and then do `body`.
std::vector<Finding> RacesAfterAdditions(const std::string& body) {
  KernelHarness harness(KernelHarness::OneHostThread());
  harness.Load(Kernel(kAdditions + body, ".file 1 \"lab.cu\"\n"));
  const uint64_t data = harness.Allocate(65536, "data");
  Ran ran = harness.Launch({1}, {1024}, {data, data, data, data});
  EXPECT_EQ(ran.status, LaunchStatus::kOk) << Describe(ran.findings);
  for (const Finding& f : ran.findings) EXPECT_EQ(f.kind, FindingKind::kGlobalRace) << f.message;
  return ran.findings;
}

TEST(OwnWordRaceTest, AWordThatItsThreadAddsToAgainAndAgainRacesWithEachOtherThread) {
  EXPECT_EQ(Describe(RacesAfterAdditions("")), "");
  EXPECT_EQ(Describe(RacesAfterAdditions("bar.sync 0; setp.eq.u32 %p3, %t, 0; @%p3 ld.global.u32 %r3, [%rd0+20];")),
            "");
  for (const std::string other : {"ld.global.u32 %r4, [%rd0+20];", "st.global.u32 [%rd0+20], 1;"}) {
    const std::vector<Finding> found =
        RacesAfterAdditions("setp.eq.and.u32 %p3, %r1, 20, %p2; .loc 1 9 0\n@%p3 " + other);
    ASSERT_EQ(found.size(), 1u) << other << Describe(found);
    EXPECT_EQ(found[0].line, 9) << other;
    EXPECT_EQ(found[0].other_line, 8) << "not the last write of the word: " << found[0].message;
    EXPECT_EQ(found[0].other_thread.x, 160u);
  }
}

// Afterwards one warp does more, whose word is in a line of many warps: lane 0 has the predicate %p2, and lane 1 %p3.
std::vector<Finding> RacesOfTwoLanes(const std::string& body) {
  const std::string of_warp_20 =
      "setp.eq.and.u32 %p2, %r1, 20, %p2; setp.eq.u32 %p3, %r2, 1; setp.eq.and.u32 %p3, %r1, 20, %p3;";
  return RacesAfterAdditions(of_warp_20 + "bar.warp.sync -1;" + body);
}

TEST(OwnWordRaceTest, AnAdditionRacesWithAReaderOfItsWord) {
  const std::string reads[] = {"@%p3 ld.global.u32 %r4, [%rd5];",
                               "@%p2 ld.global.u32 %r4, [%rd5]; @%p3 ld.global.u32 %r4, [%rd5];",
                               "@%p3 ld.global.u32 %r4, [%rd5]; @%p2 ld.global.u32 %r4, [%rd5];"};
  for (const std::string& read : reads) {
    EXPECT_EQ(Describe(RacesOfTwoLanes(read)), "");
    const std::vector<Finding> found =
        RacesOfTwoLanes(".loc 1 9 0\n" + read + ".loc 1 10 0\n@%p2 st.global.u32 [%rd5], 1;");
    ASSERT_EQ(found.size(), 1u) << read << Describe(found);
    EXPECT_EQ(found[0].line, 10);
    EXPECT_EQ(found[0].other_line, 9) << found[0].message;
  }
}

TEST(OwnWordRaceTest, AThreadsReadOfItsOwnWordCountsWhereItsWriteIsOrderedOrExcused) {
  // Lane 0 wrote the word before the __syncwarp(), and reads it after that, beside a write by lane 1.
  std::vector<Finding> found =
      RacesOfTwoLanes(".loc 1 9 0\n@%p2 ld.global.u32 %r3, [%rd5]; .loc 1 10 0\n@%p3 st.global.u32 [%rd5], 1;");
  ASSERT_EQ(found.size(), 1u) << Describe(found);
  EXPECT_EQ(found[0].other_line, 9) << found[0].message;
  // Atomics of two threads do not race. An atomic and a plain read do.
  const std::string others =
      "setp.ne.u32 %p4, %r1, 20; and.b32 %r2, %t, 31; setp.eq.and.u32 %p4, %r2, 0, %p4;"
      "@%p4 st.global.u32 [%rd5+256], 1; @%p4 ld.global.u32 %r3, [%rd5+256];";
  const std::string atomic = "@%p2 atom.global.add.u32 %r3, [%rd5+256], 1;";
  const std::string of_lane_1 = "@%p3 atom.global.add.u32 %r3, [%rd5+256], 1;";
  EXPECT_EQ(Describe(RacesOfTwoLanes(others + atomic + of_lane_1)), "");
  found =
      RacesOfTwoLanes(others + atomic + ".loc 1 9 0\n@%p2 ld.global.u32 %r3, [%rd5+256]; .loc 1 10 0\n" + of_lane_1);
  ASSERT_EQ(found.size(), 1u) << Describe(found);
  EXPECT_EQ(found[0].other_line, 9) << found[0].message;
}

TEST(OwnWordRaceTest, AnAtomicReadAfterAnAtomicOfItsThreadRacesWithAnEarlierStore) {
  const std::vector<Finding> found = RacesOfTwoLanes(
      ".loc 1 9 0\n@%p3 st.global.u32 [%rd5], 1; .loc 1 10 0\n@%p2 atom.global.add.u32 %r3, [%rd5], 1;"
      ".loc 1 11 0\n@%p2 ld.relaxed.gpu.global.u32 %r3, [%rd5];");
  ASSERT_EQ(found.size(), 2u) << Describe(found);
  EXPECT_EQ(found[1].line, 11);
  EXPECT_EQ(found[1].other_line, 9) << found[1].message;
}

TEST(OwnWordRaceTest, APlainStoreBeforeAnAtomicOfItsThreadRacesWithAtomicsOfOthers) {
  const std::vector<Finding> found = RacesOfTwoLanes(
      ".loc 1 9 0\n@%p2 st.global.u32 [%rd5], 1; .loc 1 10 0\n@%p2 atom.global.add.u32 %r3, [%rd5], 1;"
      ".loc 1 11 0\n@%p3 atom.global.add.u32 %r3, [%rd5], 1;");
  ASSERT_EQ(found.size(), 1u) << Describe(found);
  EXPECT_EQ(found[0].line, 11);
  EXPECT_EQ(found[0].other_line, 9) << found[0].message;
}

}  // namespace
}  // namespace warpgrade::emulator
