// The studies that compile programs: each runs to its end on the emulator, and claims no times there.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "grader/study/programs.h"
#include "tests/cli/program.h"
#include "tests/study/recorded.h"

namespace warpgrade::study {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::Not;

// What the study prints on the emulator.
std::string EmulatedStudy(const std::string& name) {
  const ProgramResult end = RunProgram({WARPGRADE_BINARY, "study", name, "--device", "emulator"});
  EXPECT_EQ(end.exit_code, 0) << end.out << end.err;
  return end.out;
}

TEST(StudyProgramsTest, TransfersBringTheirBytesAndClaimNoTimes) {
  EXPECT_THAT(
      EmulatedStudy("transfers"),
      AllOf(HasSubstr("Times     skipped: no GPU"), HasSubstr("2^20"), HasSubstr("down, pageable"),
            HasSubstr("Every copy brought the bytes that were sent."), Not(HasSubstr("GB/s")), Not(HasSubstr(" us "))));
}

TEST(StudyProgramsTest, SyncAddsRightInEachWayOverAllData) {
  EXPECT_THAT(EmulatedStudy("sync"),
              AllOf(HasSubstr("Times     skipped: no GPU"), HasSubstr("passes in place"), HasSubstr("grid sync"),
                    HasSubstr("managed, made on the device"), HasSubstr("Sums of doubles that are right"),
                    HasSubstr("Times: skipped: no GPU."), Not(HasSubstr("times as long"))));
}

TEST(StudyProgramsTest, OverlapLeavesItsAnswerInAManagedVariable) {
  EXPECT_THAT(EmulatedStudy("overlap"), AllOf(HasSubstr("Times     skipped: no GPU"), HasSubstr("waits at the end"),
                                              HasSubstr("__managed__"), Not(HasSubstr("kernel alone"))));
}

TEST(StudyProgramsTest, FastMathCountsAndSkipsErrorsAndSpeeds) {
  EXPECT_THAT(EmulatedStudy("fastmath"),
              AllOf(HasSubstr("sin(200000)"), HasSubstr("Errors and speeds: skipped: no GPU."),
                    Not(HasSubstr("times as fast"))));
}

// The emulator has no textures, so here it can only be compiled.
TEST(StudyProgramsTest, TexturesCompileAndAreSkippedWithoutAGpu) {
  const TemporaryFolder folder;
  folder.Write("measure.h", std::string(kMeasureHeader));
  const std::string source = folder.Write("textures.cu", std::string(kTexturesProgram));
  const ProgramResult compiled = RunProgram({WARPGRADE_NVCC, "-std=c++17", "-Werror", "all-warnings", "-ptx",
                                             "-arch=compute_75", source, "-o", folder.Path("textures.ptx")});
  EXPECT_EQ(compiled.exit_code, 0) << compiled.out << compiled.err;
  EXPECT_THAT(EmulatedStudy("textures"), HasSubstr("skipped: no GPU. The emulator has no textures"));
}

}  // namespace
}  // namespace warpgrade::study
