// Programs as nvcc makes them, run over our libcudart.so.13 in both modes. Each program checks itself (expect.h) and
// says on stderr what did not hold.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <fstream>
#include <nlohmann/json.hpp>

#include "tests/cudart/program_runner.h"

namespace warpgrade::cudart {
namespace {

using testing::HasSubstr;
using testing::Not;

class ProgramsTest : public testing::TestWithParam<Mode> {
 protected:
  void ExpectPasses(const std::string& name) {
    const ProgramResult result = RunProgram(name, GetParam());
    EXPECT_EQ(result.exit_code, 0) << result.errors;
  }
};

INSTANTIATE_TEST_SUITE_P(, ProgramsTest, testing::Values(Mode::kInProcess, Mode::kServed),
                         [](const auto& info) { return info.param == Mode::kInProcess ? "InProcess" : "Served"; });

TEST_P(ProgramsTest, AddsVectors) { ExpectPasses("vector_add"); }
TEST_P(ProgramsTest, CopiesToAndFromSymbols) { ExpectPasses("symbols"); }
TEST_P(ProgramsTest, UsesStaticAndDynamicSharedMemory) { ExpectPasses("shared_memory"); }
TEST_P(ProgramsTest, RefusesWrongLaunchesWithTheDocumentedErrors) { ExpectPasses("launch_errors"); }
TEST_P(ProgramsTest, CopiesAndSetsMemoryOfEveryKind) { ExpectPasses("memory"); }
TEST_P(ProgramsTest, AnswersQuestionsAboutTheDevice) { ExpectPasses("device"); }
TEST_P(ProgramsTest, OrdersStreamsAndTimesEvents) { ExpectPasses("streams"); }
TEST_P(ProgramsTest, SynchronisesACooperativeGrid) { ExpectPasses("cooperative"); }
TEST_P(ProgramsTest, RunsWithPerThreadDefaultStreams) { ExpectPasses("per_thread_stream"); }

TEST_P(ProgramsTest, PrintsFromKernelsInOrder) {
  const ProgramResult result = RunProgram("prints", GetParam());
  EXPECT_EQ(result.exit_code, 0) << result.errors;
  EXPECT_THAT(result.output, HasSubstr("kernel 1 of 3, 2.5, text\n"));
  if (GetParam() == Mode::kInProcess) {
    EXPECT_THAT(result.output, testing::MatchesRegex("host before\nkernel 1 .*\nhost after\n"));
  }
}

TEST_P(ProgramsTest, MakesAnIllegalAddressStickyAndNamesItsPlace) {
  const ProgramResult result = RunProgram("illegal_address", GetParam());
  EXPECT_EQ(result.exit_code, 0) << result.errors;
  if (GetParam() == Mode::kInProcess) {
    EXPECT_THAT(result.errors, HasSubstr("illegal_address.cu:8: out-of-bounds: "));
  } else {
    ASSERT_EQ(result.findings.size(), 1u);
    EXPECT_EQ(result.findings[0].line, 8);
    EXPECT_THAT(result.errors, Not(HasSubstr("out-of-bounds"))) << "the judge's findings are not the program's";
  }
}

TEST_P(ProgramsTest, SaysHowToCompileWhenThereIsNoPtx) {
  const ProgramResult result = RunProgram("no_ptx", GetParam());
  EXPECT_EQ(result.exit_code, 0) << result.errors;
  EXPECT_THAT(result.errors, HasSubstr("cannot load the program's kernels"));
  EXPECT_THAT(result.errors, HasSubstr("code=compute_75"));
}

TEST(InProcessProgramsTest, ReportsARaceOnStderrAndInTheFindingsFile) {
  const std::string race = emulator::Name(emulator::FindingKind::kSharedRace);
  const std::string path = testing::TempDir() + "/findings" + std::to_string(getpid()) + ".json";
  const ProgramResult result = RunProgram("race", Mode::kInProcess, {"WARPGRADE_FINDINGS_FILE=" + path});
  EXPECT_EQ(result.exit_code, 0) << result.errors;
  EXPECT_THAT(result.errors, HasSubstr("race.cu:"));
  EXPECT_THAT(result.errors, HasSubstr(race));
  std::ifstream file(path);
  std::string line;
  ASSERT_TRUE(std::getline(file, line)) << "nothing was written to " << path;
  EXPECT_EQ(nlohmann::json::parse(line)["kind"], race);
  unlink(path.c_str());
}

TEST(InProcessProgramsTest, WritesTheCountersOfEveryLaunchAtExit) {
  const std::string path = testing::TempDir() + "/counters" + std::to_string(getpid()) + ".json";
  const ProgramResult result = RunProgram("vector_add", Mode::kInProcess, {"WARPGRADE_COUNTERS_FILE=" + path});
  EXPECT_EQ(result.exit_code, 0) << result.errors;
  std::ifstream file(path);
  const nlohmann::json json = nlohmann::json::parse(file);
  ASSERT_EQ(json["launches"].size(), 1u);
  EXPECT_EQ(json["launches"][0]["counters"]["fadd"], 1000);
  unlink(path.c_str());
}

TEST(ServedProgramsTest, RecordsTheLaunchesOnTheJudgesSide) {
  const ProgramResult result = RunProgram("vector_add", Mode::kServed);
  EXPECT_EQ(result.exit_code, 0) << result.errors;
  ASSERT_EQ(result.launches.size(), 1u);
  EXPECT_EQ(result.launches[0].counters.fadd, 1000u);
}

TEST(ServedProgramsTest, GivesErrorsInsteadOfHangingWhenTheDescriptorIsNoSocket) {
  const ProgramResult result = RunProgram("vector_add", Mode::kInProcess, {"WARPGRADE_DEVICE_FD=nonsense"});
  EXPECT_NE(result.exit_code, 0);
  EXPECT_THAT(result.errors, HasSubstr("WARPGRADE_DEVICE_FD=nonsense is not a file descriptor"));
}

}  // namespace
}  // namespace warpgrade::cudart
