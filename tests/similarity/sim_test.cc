#include "grader/similarity/sim.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <atomic>
#include <cstdlib>

namespace warpgrade::similarity {
namespace {

using testing::HasSubstr;
using testing::IsEmpty;

const std::string kOne =
    "int f ( int a )\n{ int sum = 0 ;\nfor ( int i = 0 ; i < a ; ++ i ) sum += i * i ;\nreturn sum ; }\n";
const std::string kRenamed =
    "int g ( int b )\n{ int all = 0 ;\nfor ( int k = 0 ; k < b ; ++ k ) all += k * k ;\nreturn all ; }\n";
const std::string kOther = "struct Point { double x , y , z ; bool far ; } ;\nusing Points = Point * [ 7 ] [ 9 ] ;\n";

Result<Runs> RunOver(const std::vector<std::string>& texts, size_t older) {
  const Result<std::string> sim = FindSim();
  if (!sim) return sim.error();
  return RunSim(*sim, texts, older, 14, nullptr);
}

TEST(SimTest, FindsWhatIsEqualButForNames) {
  const Result<Runs> runs = RunOver({kOne, kOther, kRenamed}, 3);
  ASSERT_TRUE(runs) << runs.error().message;
  EXPECT_TRUE(runs->complete);
  ASSERT_EQ(runs->runs.size(), 1u);
  const EqualRun& run = runs->runs[0];
  EXPECT_EQ(run.first, 0u);
  EXPECT_EQ(run.second, 2u);
  EXPECT_EQ(run.first_line, 1);
  EXPECT_EQ(run.last_line, 4);
  EXPECT_EQ(run.other_last_line, 4);
  EXPECT_EQ(run.tokens, runs->tokens[0]);
  EXPECT_GT(runs->tokens[1], 20);
}

TEST(SimTest, OlderTextsAreNotComparedWithEachOther) {
  const Result<Runs> runs = RunOver({kOther, kOne, kRenamed}, 1);
  ASSERT_TRUE(runs) << runs.error().message;
  EXPECT_THAT(runs->runs, IsEmpty());
  const Result<Runs> with_new = RunOver({kOne, kRenamed, kOne}, 1);
  ASSERT_TRUE(with_new) << with_new.error().message;
  EXPECT_EQ(with_new->runs.size(), 2u);
}

TEST(SimTest, AnInterruptionIsAnError) {
  const std::atomic<bool> cancel = true;
  const Result<std::string> sim = FindSim();
  ASSERT_TRUE(sim) << sim.error().message;
  EXPECT_FALSE(RunSim(*sim, {kOne, kRenamed}, 2, 14, &cancel));
}

TEST(SimTest, OtherProgramsAreNotBelieved) {
  const Result<Runs> runs = RunSim("/bin/false", {kOne, kRenamed}, 2, 14, nullptr);
  ASSERT_FALSE(runs);
  EXPECT_THAT(runs.error().message, HasSubstr("/bin/false exited with code 1"));
}

TEST(SimTest, LinesOfAnotherFormArePassedOver) {
  const Runs runs = ReadSimOutput(
      "File 0.c: 81 tokens, 6 lines\nFile 7.c: 5 tokens, 1 line\nFile /: new/old separator\n"
      "Total input: 2 files (2 new, 0 old), 162 tokens\n\n"
      "0.c: line 1-6                          |1.c: line 2-7                      [81]\n"
      "0.c: line 1-6                          |9.c: line 2-7                      [81]\n"
      "0.c: line 1-6                          |0.c: line 2-7                      [81]\n"
      "1.c: line 1-6 |0.c: line 2-7 [81\n-1.c: line 1-6 |0.c: line 2-7 [81]\n\xff\n",
      2);
  ASSERT_EQ(runs.runs.size(), 1u);
  EXPECT_EQ(runs.runs[0].second, 1u);
  EXPECT_EQ(runs.runs[0].other_first_line, 2);
  EXPECT_THAT(runs.tokens, testing::ElementsAre(81, 0));
}

}  // namespace
}  // namespace warpgrade::similarity
