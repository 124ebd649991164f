// `warpgrade calibrate` with the built kit, from speeds that the test makes up. No GPU is needed: where programs are
// really run, it is on the emulator, which gives them no speed.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <nlohmann/json.hpp>

#include "tests/course/graded.h"

namespace warpgrade {
namespace {

using nlohmann::json;
using testing::AllOf;
using testing::HasSubstr;
using testing::Not;

constexpr char kCourse[] =
    "# Comments stay.\n"
    "course: {name: C, term: 2027}\n"
    "targets:\n"
    "  h200: {match: NVIDIA H200}  # ours\n"
    "labs:\n"
    "  lab2:\n"
    "    title: Transpose\n"
    "    rungs:\n"
    "      v1_naive:\n"
    "        title: One thread per element\n"
    "        points: {correctness: 7, throughput: 1}\n"
    "        throughput:\n"
    "          h200: {unit: GB/s, zero: 200, full: 500}\n"
    "      v2_shared:\n"
    "        title: Tile in shared memory\n"
    "        points: {correctness: 7, throughput: 4}\n"
    "        throughput:\n"
    "          # The rung before gets too much.\n"
    "          h200: {unit: GB/s, zero: 200, full: 900}\n";

json Grading(const char* rung, const char* kind, const char* name, double value, int round) {
  return {{"lab", "lab2"},   {"rung", rung},         {"kind", kind},    {"name", name},
          {"round", round},  {"value", value},       {"unit", "GB/s"},  {"samples", 12},
          {"ceiling", 4224}, {"ceiling_of", "copy"}, {"seconds", 1e-3}, {"spread_percent", 0.1}};
}

// The speeds of an H200, or of a GPU of another name that is slower.
std::string Measured(const std::string& gpu, double scale) {
  json gradings = json::array();
  for (int round = 1; round <= 3; ++round) {
    const double factor = scale * (1 + 0.001 * round);
    gradings.push_back(Grading("v1_naive", "solution", "solution", 549 * factor, round));
    gradings.push_back(Grading("v2_shared", "solution", "solution", 986 * factor, round));
    gradings.push_back(Grading("v2_shared", "earlier", "v1_naive", 549 * factor, round));
  }
  json wrong = Grading("v2_shared", "mutant", "columns_of_d_in", 0, 1);
  wrong["left_out"] = "it did not pass: crashed";
  gradings.push_back(wrong);
  return json{{"schema", "warpgrade.calibration/1"},
              {"kit", "0.1.0"},
              {"began", "2026-11-26T20:00:00Z"},
              {"device", {{"name", gpu}}},
              {"gradings", gradings}}
      .dump();
}

class CalibrateCommandTest : public testing::Test {
 protected:
  ProgramResult Calibrate(std::vector<std::string> arguments) const {
    arguments.insert(arguments.begin(), {WARPGRADE_BINARY, "calibrate", "--course", course_});
    return RunProgram(arguments, {"CUDA_VISIBLE_DEVICES=", "NO_COLOR=1"});
  }

  const TemporaryFolder folder_;
  const std::string course_ = folder_.Write("course.yaml", kCourse);
  const std::string h200_ = folder_.Write("h200.json", Measured("NVIDIA H200", 1));
  const std::string h100_ = folder_.Write("h100.json", Measured("NVIDIA H100 80GB HBM3", 0.75));
};

TEST_F(CalibrateCommandTest, ProposesWithoutAGpuFromWhatWasMeasured) {
  const ProgramResult result = Calibrate({"--from", h200_});
  EXPECT_EQ(result.exit_code, 0) << result.err;
  EXPECT_THAT(result.out, AllOf(HasSubstr("NVIDIA H200, 10 gradings; a copy in its memory reaches 4224 GB/s\n"),
                                HasSubstr("lab2 v1_naive, h200 (GB/s, 1 point):\n  zero 200, full 500 as now\n"),
                                HasSubstr("lab2 v2_shared, h200 (GB/s, 4 points):\n"
                                          "  zero 570, full 910; now zero 200, full 900\n"),
                                HasSubstr("earlier rungs handed in get: v1 0\n"),
                                HasSubstr("with the thresholds of now, v1_naive handed in gets"),
                                HasSubstr("lab2 v2_shared, mutant columns_of_d_in: it did not pass: crashed"),
                                HasSubstr("2 rungs: 1 proposed, 1 as now")));
}

TEST_F(CalibrateCommandTest, WritesOnlyTheThresholdsThatChange) {
  const std::string changed = folder_.Path("changed.yaml"), patch = folder_.Path("course.patch");
  ProgramResult result = Calibrate({"--from", h200_, "--write", changed, "--patch", patch});
  ASSERT_EQ(result.exit_code, 0) << result.err;
  std::string wanted = kCourse;
  const std::string before = "zero: 200, full: 900";
  wanted.replace(wanted.find(before), before.size(), "zero: 570, full: 910");
  EXPECT_EQ(ReadText(changed), wanted);
  EXPECT_EQ(ReadText(course_), kCourse);
  EXPECT_EQ(ReadText(patch),
            "--- a/course.yaml\n+++ b/course.yaml\n@@ -16,4 +16,4 @@\n"
            "         points: {correctness: 7, throughput: 4}\n         throughput:\n"
            "           # The rung before gets too much.\n"
            "-          h200: {unit: GB/s, zero: 200, full: 900}\n"
            "+          h200: {unit: GB/s, zero: 570, full: 910}\n");
  // What was written stays.
  result = RunProgram({WARPGRADE_BINARY, "calibrate", "--course", changed, "--from", h200_, "--write", changed});
  EXPECT_THAT(result.out, HasSubstr("0 proposed, 2 as now"));
  EXPECT_EQ(ReadText(changed), wanted);
}

TEST_F(CalibrateCommandTest, ANewGpuBecomesATargetWithItsScales) {
  const std::string changed = folder_.Path("changed.yaml");
  const ProgramResult result = Calibrate({"--from", h100_, "--write", changed});
  ASSERT_EQ(result.exit_code, 0) << result.err;
  EXPECT_THAT(ReadText(changed),
              AllOf(HasSubstr("  h200: {match: NVIDIA H200}  # ours\n"
                              "  h100: {match: NVIDIA H100 80GB HBM3, peak_bandwidth: 3350, peak_arithmetic: 66908}\n"),
                    HasSubstr("          h200: {unit: GB/s, zero: 200, full: 500}\n"
                              "          h100: {unit: GB/s, zero: 100, full: 380}\n"),
                    HasSubstr("          h100: {unit: GB/s, zero: 430, full: 680}\n")));
  const ProgramResult valid = RunProgram({WARPGRADE_BINARY, "validate", changed});
  EXPECT_THAT(valid.out, Not(HasSubstr("scale"))) << valid.out;
}

TEST_F(CalibrateCommandTest, TheModelIsForEveryGpuAndIsCheckedOnOne) {
  const std::string changed = folder_.Path("changed.yaml");
  ProgramResult result = Calibrate({"--from", h200_, "--from", h100_, "--model", "--write", changed});
  ASSERT_EQ(result.exit_code, 0) << result.err;
  EXPECT_THAT(ReadText(changed), HasSubstr("          any: {unit: share_of_solution, zero: 0.59, full: 0.88}\n"));
  const std::string third = folder_.Write("third.json", Measured("NVIDIA A100-SXM4-80GB", 0.5));
  result = RunProgram({WARPGRADE_BINARY, "calibrate", "--course", changed, "--from", third, "--model", "--check"});
  EXPECT_EQ(result.exit_code, 0) << result.out;
  EXPECT_THAT(result.out, HasSubstr("2 of 2 rungs with thresholds that do what they should"));
  result = Calibrate({"--model"});
  EXPECT_EQ(result.exit_code, 2);
  EXPECT_THAT(result.err, HasSubstr("--model needs what was measured on a GPU"));
}

TEST_F(CalibrateCommandTest, ACheckNamesTheThresholdsThatDoNotFit) {
  const ProgramResult result = Calibrate({"--from", h200_, "--check"});
  EXPECT_EQ(result.exit_code, 2);
  EXPECT_THAT(result.out, AllOf(HasSubstr("lab2 v2_shared, h200:\n  - v1_naive handed in gets"),
                                HasSubstr("1 of 2 rungs with thresholds that do what they should")));
  EXPECT_THAT(Calibrate({"--from", h100_, "--check"}).out, HasSubstr("there is no scale"));
  EXPECT_EQ(Calibrate({"--from", h200_, "--check", "--rung", "v1"}).exit_code, 0);
}

TEST_F(CalibrateCommandTest, ThePageHasTheSpeedOfEachProgramInEachGrading) {
  const std::string page = folder_.Path("page.html");
  ASSERT_EQ(Calibrate({"--from", h200_, "--html", page}).exit_code, 0);
  EXPECT_THAT(ReadText(page), AllOf(HasSubstr("Thresholds for NVIDIA H200"), HasSubstr("lab2 v2_shared, h200"),
                                    HasSubstr("v1_naive handed in"), HasSubstr("Proposed: zero 570, full 910.")));
}

TEST_F(CalibrateCommandTest, WithoutAGpuItSaysSo) {
  const ProgramResult result = Calibrate({"--rung", "v1"});
  EXPECT_EQ(result.exit_code, 77) << result.err;
  EXPECT_THAT(result.out, HasSubstr("skipped: no GPU"));
}

TEST_F(CalibrateCommandTest, TheProgramsAreThoseThatAreRight) {
  // Of lab7: four solutions; v1 as v2, v2 as v3, v3 as v4; v1 as v3, which is timed with other values; and the mutants
  // that lose only technique, without those that are an earlier rung.
  const std::string mutants = ReadText(SourcePath("labs/lab7/mutants/mutants.yaml"));
  int slow = 0;
  for (size_t at = mutants.find("lost: technique"); at != std::string::npos;
       at = mutants.find("lost: technique", at + 1)) {
    slow += mutants.substr(0, at).ends_with("_handed_in, ") ? 0 : 1;
  }
  EXPECT_GE(slow, 3);
  const ProgramResult result =
      RunProgram({WARPGRADE_BINARY, "calibrate", "--lab", "lab7"}, {"CUDA_VISIBLE_DEVICES=", "NO_COLOR=1"});
  EXPECT_THAT(result.out, HasSubstr(std::to_string(8 + slow) + " programs to measure"));
}

TEST_F(CalibrateCommandTest, TheKitsThresholdsFitWhatWasMeasured) {
  for (const char* gpu : {"h100", "h200"}) {
    const ProgramResult result =
        RunProgram({WARPGRADE_BINARY, "calibrate", "--course", SourcePath("course.yaml"), "--check", "--from",
                    SourcePath("labs/speeds/" + std::string(gpu) + ".json")});
    EXPECT_EQ(result.exit_code, 0) << gpu << ":\n" << result.out;
    EXPECT_THAT(result.out, HasSubstr("rungs with thresholds that do what they should")) << gpu;
  }
}

TEST_F(CalibrateCommandTest, AFileOfAnotherKindIsRefused) {
  const ProgramResult result = Calibrate({"--from", course_});
  EXPECT_EQ(result.exit_code, 2);
  EXPECT_THAT(result.err, HasSubstr("course.yaml: "));
  EXPECT_EQ(Calibrate({"--from", folder_.Path("none.json")}).exit_code, 2);
}

TEST_F(CalibrateCommandTest, MeasuringGoesOnWhereItStoppedAndRefusesTheFileOfAnotherGpu) {
  const std::string file = folder_.Path("m.json");
  const std::vector<std::string> measure = {"--rung", "v1", "--json", file, "--on-emulator", "--measure-only"};
  ASSERT_EQ(Calibrate(measure).exit_code, 0);
  json measured = json::parse(ReadText(file));
  ASSERT_EQ(measured["gradings"].size(), 2) << measured;  // the solution, and the mutant that is right but slow
  EXPECT_THAT(measured["gradings"][0]["left_out"].get<std::string>(), HasSubstr("did not pass"));
  // A half-finished file: what it has is not measured again.
  measured["gradings"].erase(1);
  measured["gradings"][0]["left_out"] = "kept";
  folder_.Write("m.json", measured.dump());
  ASSERT_EQ(Calibrate(measure).exit_code, 0);
  measured = json::parse(ReadText(file));
  ASSERT_EQ(measured["gradings"].size(), 2);
  EXPECT_EQ(measured["gradings"][0]["left_out"], "kept");
  EXPECT_EQ(measured["gradings"][1]["name"], "both_scattered");
  measured["device"]["name"] = "NVIDIA H200";
  folder_.Write("m.json", measured.dump());
  std::vector<std::string> again = measure;
  again.insert(again.end(), {"--repeat", "2"});
  const ProgramResult refused = Calibrate(again);
  EXPECT_EQ(refused.exit_code, 2);
  EXPECT_THAT(refused.err, HasSubstr("has the speeds of NVIDIA H200, and this is"));
}

}  // namespace
}  // namespace warpgrade
