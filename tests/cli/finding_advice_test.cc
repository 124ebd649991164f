#include "grader/cli/finding_advice.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace warpgrade::cli {
namespace {

using testing::HasSubstr;

score::Finding At(const std::string& kind, int line, int other_line = 0) {
  score::Finding finding;
  finding.kind = kind;
  finding.file = "v3.cu";
  finding.line = line;
  finding.message = "with no __syncthreads() between the two";
  if (other_line > 0) {
    finding.other_file = "v3.cu";
    finding.other_line = other_line;
  }
  finding.count = 10;
  return finding;
}

TEST(FindingAdviceTest, EachFindingGetsAdviceAndTheWorstComesFirst) {
  std::vector<score::Finding> findings = {At("shared-race", 20), At("out-of-bounds", 30)};
  CompleteFindings(&findings);
  EXPECT_EQ(findings[0].kind, "out-of-bounds");
  EXPECT_THAT(findings[0].advice, HasSubstr("compare it with the array"));
  EXPECT_THAT(findings[1].advice, HasSubstr("__syncthreads()"));
}

TEST(FindingAdviceTest, AdviceThatIsThereStays) {
  std::vector<score::Finding> findings = {At("shared-race", 20)};
  findings[0].advice = "put the barrier behind line 12";
  CompleteFindings(&findings);
  EXPECT_EQ(findings[0].advice, "put the barrier behind line 12");
}

TEST(FindingAdviceTest, RacesWithOneEarlierAccessAreOneFault) {
  std::vector<score::Finding> findings = {At("shared-race", 168, 54), At("shared-race", 173, 54),
                                          At("shared-race", 170, 54), At("shared-race", 168, 60)};
  CompleteFindings(&findings);
  ASSERT_EQ(findings.size(), 2u);
  EXPECT_EQ(findings[0].line, 168);
  EXPECT_EQ(findings[0].count, 30u);
  EXPECT_EQ(findings[0].message, "with no __syncthreads() between the two; the same in lines 170, 173");
  EXPECT_EQ(findings[1].message, "with no __syncthreads() between the two");
}

TEST(FindingAdviceTest, RacesThatNeedOtherRepairsStayApart) {
  std::vector<score::Finding> findings = {At("shared-race", 168, 54), At("shared-race", 173, 54), At("shared-race", 30),
                                          At("shared-race", 31)};
  findings[1].message = "with no __syncwarp() between the two";
  CompleteFindings(&findings);
  EXPECT_EQ(findings.size(), 4u);
}

TEST(FindingAdviceTest, RacesThatOneBarrierEndsAreOneFault) {
  std::vector<score::Finding> findings = {At("shared-race", 119, 116), At("shared-race", 41, 38),
                                          At("shared-race", 50, 38)};
  findings[0].barrier_line = findings[1].barrier_line = 119;
  findings[2].barrier_line = 50;
  findings[2].advice = "put a __syncthreads() before line 50";
  CompleteFindings(&findings);
  ASSERT_EQ(findings.size(), 2u);
  EXPECT_EQ(findings[0].line, 119);
  EXPECT_EQ(findings[0].message, "with no __syncthreads() between the two; the same barrier is missing for line 41");
}

// Before a loop whose own line is not known, the barrier has no line. But the advice says where the loop is.
TEST(FindingAdviceTest, RacesThatOneBarrierBeforeALoopEndsAreOneFault) {
  std::vector<score::Finding> findings = {At("shared-race", 119, 116), At("shared-race", 119, 115),
                                          At("shared-race", 30, 20), At("shared-race", 31, 21)};
  findings[0].advice = findings[1].advice = "put a __syncthreads() before the loop around line 119";
  CompleteFindings(&findings);
  EXPECT_EQ(findings.size(), 3u) << "an advice that names no line may mean two barriers";
}

TEST(FindingAdviceTest, ReadsOfUnwrittenSharedMemoryAreOneFault) {
  std::vector<score::Finding> findings = {At("uninitialised-read", 104), At("uninitialised-read", 106),
                                          At("uninitialised-read", 108)};
  findings[0].message = findings[1].message = "read element 5 of tile in shared memory, which nothing has written yet";
  findings[2].message = "read element 5 of d_in, which nothing has written yet";
  CompleteFindings(&findings);
  ASSERT_EQ(findings.size(), 2u);
  EXPECT_THAT(findings[0].message, HasSubstr("yet; the same in line 106"));
}

}  // namespace
}  // namespace warpgrade::cli
