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

}  // namespace
}  // namespace warpgrade::cli
