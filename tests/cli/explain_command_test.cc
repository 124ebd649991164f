// `warpgrade explain` through the built program. What it draws is tested in tests/report/memory_text_test.cc, and for
// the course's mutants in tests/course/explain_test.cc.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>

#include "tests/cli/program.h"

namespace warpgrade {
namespace {

using testing::HasSubstr;
using testing::Not;
using testing::StartsWith;

ProgramResult Explain(std::vector<std::string> arguments, const char* locale = "LC_ALL=C") {
  arguments.insert(arguments.begin(), {WARPGRADE_BINARY, "explain"});
  return RunProgram(arguments, {locale});
}

const std::vector<std::string> kPadded = {"lab2", "v3", "--submission", WARPGRADE_SOURCE_DIR "/solutions"};

std::vector<std::string> Padded(const std::vector<std::string>& more) {
  std::vector<std::string> arguments = kPadded;
  arguments.insert(arguments.end(), more.begin(), more.end());
  return arguments;
}

TEST(ExplainCommandTest, ARungWithoutWasteSaysSoAndDrawsItsMostFrequentRequest) {
  const ProgramResult drawn = Explain(kPadded);
  EXPECT_EQ(drawn.exit_code, 0) << drawn.err;
  EXPECT_THAT(drawn.out, StartsWith("lab2 · v3_padded · 512 x 512"));
  EXPECT_THAT(drawn.out,
              HasSubstr("\nNo request of this rung costs more than it must. Drawn is the most frequent one:"));
  EXPECT_THAT(drawn.out, HasSubstr("\nv3_padded.cu:"));
  EXPECT_THAT(drawn.out, Not(HasSubstr("\x1b")));
  EXPECT_EQ(Explain(kPadded).out, drawn.out) << "the same every time";
}

TEST(ExplainCommandTest, TheLocaleDecidesTheCharacters) {
  const std::vector<std::string> loads = Padded({"--line", "25"});
  EXPECT_THAT(Explain(loads).out, HasSubstr("################################"));
  EXPECT_THAT(Explain(loads, "LC_ALL=en_GB.UTF-8").out, HasSubstr("████████"));
}

TEST(ExplainCommandTest, ACaseCanBeChosen) {
  const ProgramResult drawn = Explain(Padded({"--case", "4"}));
  EXPECT_EQ(drawn.exit_code, 0) << drawn.err;
  EXPECT_THAT(drawn.out, StartsWith("lab2 · v3_padded · 1 x 1"));
  EXPECT_EQ(Explain(Padded({"--case", "9999"})).exit_code, 2);
}

TEST(ExplainCommandTest, ALineWithoutRequestsIsAnErrorThatNamesTheLinesThatHaveSome) {
  const ProgramResult drawn = Explain(Padded({"--line", "1"}));
  EXPECT_EQ(drawn.exit_code, 2);
  EXPECT_EQ(drawn.out, "");
  EXPECT_THAT(drawn.err, HasSubstr("--line 1: there is nothing to draw in this line of lab2 v3, which makes no request "
                                   "to memory in this case and at which no warp diverges; there is something in "));
}

// The pictures of steps are tested in tests/report/steps_text_test.cc, their values in tests/course/steps_test.cc.
TEST(ExplainCommandTest, TheStepsOfABlockAreDrawnAndWrittenAsAPage) {
  const TemporaryFolder folder;
  const std::string page = folder.Path("steps.html");
  const ProgramResult drawn = Explain(Padded({"--steps", "--block", "3", "--html", page}));
  EXPECT_EQ(drawn.exit_code, 0) << drawn.err;
  EXPECT_THAT(drawn.out, StartsWith("lab2 · v3_padded · 512 x 512"));
  EXPECT_THAT(drawn.out, HasSubstr(": block (3,0,0) of "));
  EXPECT_THAT(drawn.out, HasSubstr("\nstep 1 of 2: "));
  EXPECT_THAT(drawn.out, HasSubstr(", until a barrier of the block\n"));
  EXPECT_THAT(drawn.out, HasSubstr("\nstep 2 of 2: "));
  EXPECT_THAT(ReadText(page), HasSubstr("\"title\":\"step 2 of 2: "));
  EXPECT_EQ(Explain(Padded({"--steps", "--block", "3"})).out, drawn.out) << "the same every time";
  EXPECT_THAT(ReadText(page), HasSubstr("\"at\":0,"));
  const ProgramResult one = Explain(Padded({"--steps", "--step", "2", "--html", page}));
  EXPECT_THAT(ReadText(page), HasSubstr("\"at\":1,")) << "the page opens at the step that was asked for";
  EXPECT_THAT(one.out, HasSubstr("\nstep 2 of 2: "));
  EXPECT_THAT(one.out, Not(HasSubstr("\nstep 1 of 2: ")));
}

TEST(ExplainCommandTest, StepsThatAreNotThereAreExplained) {
  ProgramResult drawn = Explain(Padded({"--steps", "--step", "3"}));
  EXPECT_EQ(drawn.exit_code, 2);
  EXPECT_THAT(drawn.err, HasSubstr("--step 3: this block has 2 steps"));
  drawn = Explain(Padded({"--steps", "--block", "999999"}));
  EXPECT_EQ(drawn.exit_code, 2);
  EXPECT_THAT(drawn.err,
              HasSubstr("lab2 v3 has no steps to draw: --block 999999: no launch has such a block that reads "
                        "or writes memory"));
  drawn = Explain(Padded({"--steps", "--launch", "2"}));
  EXPECT_THAT(drawn.err, HasSubstr("has no steps to draw: --launch 2: there is 1 launch in this case, number 1"));
  EXPECT_EQ(Explain(Padded({"--step", "1"})).exit_code, 2) << "without --steps";
  drawn = Explain(Padded({"--html", "my page.html"}));
  EXPECT_EQ(drawn.exit_code, 2);
  EXPECT_THAT(drawn.err, HasSubstr(" --steps --html 'my page.html'; for a page with the picture of each line, type: "
                                   "warpgrade check lab2 v3 "));
  EXPECT_EQ(Explain(Padded({"--steps", "--step", "0"})).exit_code, 2);
  EXPECT_EQ(Explain(Padded({"--steps", "--html", "/nowhere/x.html"})).exit_code, 2);
}

TEST(ExplainCommandTest, MistakesOnTheCommandLineAreExplained) {
  EXPECT_EQ(Explain({}).exit_code, 2);
  EXPECT_EQ(Explain({"lab2"}).exit_code, 2);
  EXPECT_THAT(Explain({"lap2", "v3"}).err, HasSubstr("did you mean 'lab2'?"));
  EXPECT_THAT(Explain({"lab2", "quiz"}).err, HasSubstr("name a rung, such as v1"));
  EXPECT_EQ(Explain({"lab2", "quiz"}).exit_code, 2);
}

TEST(ExplainCommandTest, ARungThatIsNotWrittenIsReportedAsByCheck) {
  const ProgramResult drawn = Explain({"lab2", "v3", "--submission", WARPGRADE_SOURCE_DIR "/starter"});
  EXPECT_EQ(drawn.exit_code, 0) << drawn.err;
  EXPECT_THAT(drawn.out, HasSubstr("not written yet"));
}

TEST(ExplainCommandTest, TheBarrierInThePictureOfARaceIsTheOneThatCheckNames) {
  const TemporaryFolder folder;
  std::string source = ReadText(WARPGRADE_SOURCE_DIR "/solutions/lab1/v1_interleaved_modulo.cu");
  const std::string barrier = "__syncthreads();";
  source.erase(source.find(barrier), barrier.size());  // the first one: all threads that race are of one warp
  folder.Write("mine/lab1/v1_interleaved_modulo.cu", source);
  const std::vector<std::string> rung = {"lab1", "v1", "--submission", folder.Path("mine")};
  std::vector<std::string> check = {WARPGRADE_BINARY, "check"};
  check.insert(check.end(), rung.begin(), rung.end());
  EXPECT_THAT(RunProgram(check, {"LC_ALL=C"}).out, HasSubstr("no __syncthreads() between the two"));
  const ProgramResult drawn = Explain(rung);
  EXPECT_THAT(drawn.out, HasSubstr("no __syncthreads() here"));
  EXPECT_THAT(drawn.out, HasSubstr("A __syncthreads() before line 23"));
  EXPECT_THAT(drawn.out, Not(HasSubstr("__syncwarp")));
}

TEST(ExplainCommandTest, APageThatCannotBeWrittenIsAnErrorAfterTheReport) {
  const TemporaryFolder folder;
  const std::string page = folder.Path("steps.html");
  const std::vector<std::string> command = {"lab2", "v3", "--steps", "--submission", WARPGRADE_SOURCE_DIR "/starter"};
  std::vector<std::string> with_page = command;
  with_page.insert(with_page.end(), {"--html", page});
  const ProgramResult drawn = Explain(with_page);
  EXPECT_EQ(drawn.exit_code, 2);
  EXPECT_THAT(drawn.out, HasSubstr("not written yet"));
  EXPECT_THAT(drawn.err,
              HasSubstr("steps.html was not written, because lab2 v3 has no steps to draw (not written yet)"));
  EXPECT_FALSE(std::filesystem::exists(page));
  EXPECT_EQ(Explain(command).exit_code, 0) << "as without --steps";
}

}  // namespace
}  // namespace warpgrade
