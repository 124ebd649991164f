// `warpgrade poll` through the built program, with what a person types on its standard input.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>

#include "tests/cli/program.h"

namespace warpgrade {
namespace {

namespace fs = std::filesystem;
using testing::HasSubstr;
using testing::Not;

ProgramResult Poll(const std::string& arguments, const std::string& typed = "") {
  return RunProgram({"sh", "-c", "printf '" + typed + "' | '" WARPGRADE_BINARY "' poll " + arguments});
}

TEST(PollCommandTest, AnAnswerIsExplainedAndTheLineHasNoName) {
  const ProgramResult asked = Poll("lab1", "b\\nx\\nA\\n\\n");
  EXPECT_EQ(asked.exit_code, 0) << asked.err;
  EXPECT_THAT(asked.out, HasSubstr("lab1 Reduction: a poll. It costs no points.\n"));
  EXPECT_THAT(asked.out, HasSubstr("    Right. In the first five steps of v1 "));
  EXPECT_THAT(asked.out, HasSubstr("    Type one letter from a to c.\n"));
  EXPECT_THAT(asked.out, HasSubstr("    It is b). In each step as many threads work as in v1."));
  EXPECT_THAT(asked.out, Not(HasSubstr("A warp diverges only where"))) << "a skipped question is not answered";
  EXPECT_THAT(asked.out, HasSubstr("\n  poll lab1 slow_v1=b fewer=a last_warp=-\n"));
}

TEST(PollCommandTest, WithoutAnswersItOnlyAsks) {
  const ProgramResult asked = Poll("lab1");
  EXPECT_EQ(asked.exit_code, 0) << asked.err;
  EXPECT_THAT(asked.out, HasSubstr("3 of 3  "));
  EXPECT_THAT(asked.out, Not(HasSubstr("poll lab1 slow_v1")));
}

TEST(PollCommandTest, TheFileHasOneLineForEachLab) {
  const TemporaryFolder folder;
  const std::string file = folder.Path("poll.txt");
  EXPECT_EQ(Poll("lab1 --save " + file, "a\\na\\na\\n").exit_code, 0);
  EXPECT_EQ(Poll("lab2 --save " + file, "b\\nb\\n").exit_code, 0);
  EXPECT_EQ(Poll("lab1 --save " + file, "b\\nb\\na\\n").exit_code, 0);
  EXPECT_EQ(ReadText(file), "poll lab2 stores=b padding=b\npoll lab1 slow_v1=b fewer=b last_warp=a\n");
}

TEST(PollCommandTest, TheAnswersOfAFolderAreCounted) {
  const TemporaryFolder folder;
  folder.Write("in/s1/poll.txt", "poll lab1 slow_v1=b fewer=b last_warp=a\n");
  folder.Write("in/s2.txt", "poll lab2 stores=b padding=b\npoll lab1 slow_v1=a fewer=b last_warp=-\n");
  const ProgramResult counted = Poll("lab1 --count " + folder.Path("in"));
  EXPECT_EQ(counted.exit_code, 0) << counted.err;
  EXPECT_THAT(counted.out, HasSubstr("lab1 Reduction: 2 lines with answers\n"));
  EXPECT_THAT(counted.out, HasSubstr("      1  right  b) the threads that work are spread over all warps\n"));
  EXPECT_THAT(counted.out, HasSubstr("      2  right  b) warps that work\n"));
  EXPECT_THAT(counted.out, HasSubstr("      1  skipped\n"));
  folder.Write("in/large", std::string(3u << 20, 'x'));
  EXPECT_THAT(Poll("lab1 --count " + folder.Path("in")).err, HasSubstr("is larger than 1 MB"));
  EXPECT_EQ(Poll("lab1 --count " + folder.Path("none")).exit_code, 2);
  EXPECT_EQ(Poll("lab1 --count x --save y").exit_code, 2);
}

TEST(PollCommandTest, EachLabHasAPollThatCanBeRead) {
  int labs = 0;
  for (const auto& entry : fs::directory_iterator(WARPGRADE_SOURCE_DIR "/labs")) {
    if (!fs::exists(entry.path() / "quiz.yaml")) continue;
    const ProgramResult asked = Poll(entry.path().filename().string());
    EXPECT_EQ(asked.exit_code, 0) << entry.path() << asked.err;
    EXPECT_THAT(asked.out, HasSubstr("2 of ")) << "two questions at least";
    ++labs;
  }
  EXPECT_GE(labs, 9);
  EXPECT_THAT(Poll("lap1").err, HasSubstr("there is no poll for 'lap1'; did you mean 'lab1'?"));
}

}  // namespace
}  // namespace warpgrade
