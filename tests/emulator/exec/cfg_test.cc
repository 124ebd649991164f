// Where lanes that a branch parted meet again: the branch's immediate post-dominator.
#include "grader/emulator/program/cfg.h"

#include <gtest/gtest.h>

#include "grader/emulator/ptx/parser.h"

namespace warpgrade::emulator {
namespace {

// Reconvergence points of a body in which every instruction is numbered from 0; -1: at the function's end.
std::vector<int32_t> Points(const std::string& body) {
  Result<ptx::Module> module =
      ptx::Parse(".version 8.0\n.target sm_80\n.address_size 64\n.entry k() {\n.reg .pred %p<9>; .reg .b32 %r<9>;\n" +
                 body + "\n}");
  EXPECT_TRUE(module.ok()) << (module.ok() ? "" : module.error().message);
  return module.ok() ? ReconvergencePoints(module->functions[0]) : std::vector<int32_t>{};
}

TEST(CfgTest, AnIfMeetsAfterIt) {
  EXPECT_EQ(Points("@%p1 bra L; mov.u32 %r1, 1; L: mov.u32 %r2, 2; ret;"), (std::vector<int32_t>{2, -1, -1, -1}));
}

TEST(CfgTest, AnIfElseMeetsAfterBoth) {
  EXPECT_EQ(Points("@%p1 bra E; mov.u32 %r1, 1; bra M; E: mov.u32 %r1, 2; M: mov.u32 %r2, 3; ret;")[0], 4);
}

TEST(CfgTest, ALoopsExitBranchMeetsAfterTheLoop) {
  EXPECT_EQ(Points("L: add.u32 %r1, %r1, 1; @%p1 bra L; mov.u32 %r2, 2; ret;")[1], 2);
}

TEST(CfgTest, NestedIfsMeetInnermostFirst) {
  std::vector<int32_t> points =
      Points("@%p1 bra OUTER; @%p2 bra INNER; mov.u32 %r1, 1; INNER: mov.u32 %r2, 2; OUTER: mov.u32 %r3, 3; ret;");
  EXPECT_EQ(points[0], 4);
  EXPECT_EQ(points[1], 3);
}

TEST(CfgTest, AnEarlyReturnLeavesOnlyTheEnd) { EXPECT_EQ(Points("@%p1 bra L; ret; L: mov.u32 %r1, 1; ret;")[0], -1); }

TEST(CfgTest, NobodyWaitsAtABareReturn) {
  EXPECT_EQ(Points("@%p1 bra L; mov.u32 %r1, 1; L: ret;")[0], -1);
  EXPECT_EQ(Points("@%p1 bra L; mov.u32 %r1, 1; L: exit;")[0], -1);
  EXPECT_EQ(Points("@%p1 bra L; mov.u32 %r1, 1; L: @%p2 ret; ret;")[0], 2);
}

TEST(CfgTest, AGuardedExitIsNoBranchButEndsItsLanes) {
  // Lanes that exit leave the others' meeting point, which is still after the loop.
  std::vector<int32_t> points = Points("L: @%p2 exit; add.u32 %r1, %r1, 1; @%p1 bra L; mov.u32 %r2, 2; ret;");
  EXPECT_EQ(points[0], -1);
  EXPECT_EQ(points[2], 3);
}

TEST(CfgTest, AReturnOutOfALoopLeavesTheOthersMeetingPoint) {
  EXPECT_EQ(Points("L: @%p2 bra OUT; add.u32 %r1, %r1, 1; @%p1 bra L; mov.u32 %r2, 2; OUT: ret;"),
            (std::vector<int32_t>{-1, -1, 3, -1, -1}));
}

TEST(CfgTest, AnIfAroundAGuardedExitMeetsAfterIt) {
  // The loop has no other end than a return, so its last way out is the one that counts.
  std::vector<int32_t> points =
      Points("L: @%p3 exit; @%p1 bra M; @%p2 exit; add.u32 %r1, %r1, 1; M: mov.u32 %r2, 2; @%p4 bra L; ret;");
  EXPECT_EQ(points[1], 4);
  EXPECT_EQ(points[5], -1);
}

TEST(CfgTest, AnEndlessLoopHasNoMeetingPoint) { EXPECT_EQ(Points("L: @%p1 bra L; bra L;")[0], -1); }

TEST(CfgTest, AnIndexedBranchMeetsWhereItsTargetsDo) {
  EXPECT_EQ(Points("ts: .branchtargets A, B, C; brx.idx %r1, ts; A: mov.u32 %r2, 1; bra M; B: mov.u32 %r2, 2; bra M; "
                   "C: mov.u32 %r2, 3; M: mov.u32 %r1, 0; ret;")[0],
            6);
}

TEST(CfgTest, CodeThatNothingReachesIsHarmless) {
  EXPECT_EQ(Points("bra M; mov.u32 %r1, 1; @%p1 bra M; mov.u32 %r1, 2; M: ret;").size(), 5u);
}

TEST(CfgTest, AnEmptyBodyHasNoPoints) { EXPECT_TRUE(Points("").empty()); }

}  // namespace
}  // namespace warpgrade::emulator
