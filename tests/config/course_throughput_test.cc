// Throughput scales in course.yaml: every mistake by its exact message. The rung's text starts at line 9, column 9.
#include <gtest/gtest.h>

#include "tests/config/course_text.h"

namespace warpgrade::config {
namespace {

const char* kPoints = "points: {correctness: 8, throughput: 2}\n";

std::string ScaleMistakes(const std::string& scale) { return RungMistakes(kPoints + ("throughput: " + scale + "\n")); }

TEST(CourseThroughputTest, ReadsLinearAndSteps) {
  const Result<Course> course =
      LoadText(CourseWithRung("points: {correctness: 8, throughput: 2}\n"
                              "throughput:\n"
                              "  h200: {unit: GB/s, zero: 100, full: 300}\n"
                              "  any: {unit: share_of_copy, steps: [{at: 0.1, points: 1}, {at: 0.2, points: 2}]}\n"));
  ASSERT_TRUE(course) << course.error().message;
  const Rung& rung = course->labs[0].rungs[0];
  const ThroughputScale& h200 = rung.throughput_scales.at("h200");
  EXPECT_EQ(h200.unit, ThroughputScale::Unit::kGigabytesPerSecond);
  EXPECT_EQ(h200.zero, 100);
  EXPECT_EQ(h200.full, 300);
  EXPECT_TRUE(h200.steps.empty());
  const ThroughputScale& any = rung.throughput_scales.at("any");
  EXPECT_EQ(any.unit, ThroughputScale::Unit::kShareOfCopy);
  ASSERT_EQ(any.steps.size(), 2u);
  EXPECT_EQ(any.steps[1].at, 0.2);
  EXPECT_EQ(any.steps[1].points.hundredths(), 200);
}

TEST(CourseThroughputTest, ReadsSharesOfTheSolutionForAnyGpuOrOne) {
  const Result<Course> course =
      LoadText(CourseWithRung("points: {correctness: 8, throughput: 2}\n"
                              "throughput:\n"
                              "  h200: {unit: share_of_solution, steps: [{at: 0.5, points: 1}, {at: 0.9, points: 2}]}\n"
                              "  any: {unit: share_of_solution, zero: 0.3, full: 0.8}\n"));
  ASSERT_TRUE(course) << course.error().message;
  const Rung& rung = course->labs[0].rungs[0];
  EXPECT_EQ(rung.throughput_scales.at("h200").unit, ThroughputScale::Unit::kShareOfSolution);
  EXPECT_EQ(rung.throughput_scales.at("any").unit, ThroughputScale::Unit::kShareOfSolution);
  EXPECT_EQ(rung.throughput_scales.at("any").full, 0.8);
}

TEST(CourseThroughputTest, RefusesAnUnknownTarget) {
  EXPECT_EQ(ScaleMistakes("{h20: {unit: GB/s, zero: 1, full: 2}}"),
            "course.yaml:10:22: unknown target 'h20' in lab1.v1.throughput; did you mean 'h200'?");
  EXPECT_EQ(ScaleMistakes("{gtx: {unit: GB/s, zero: 1, full: 2}}"),
            "course.yaml:10:22: unknown target 'gtx' in lab1.v1.throughput; the targets are h200 and any; name another "
            "GPU under 'targets' of course.yaml");
}

TEST(CourseThroughputTest, RefusesAnUnknownUnit) {
  EXPECT_EQ(ScaleMistakes("{h200: {unit: GBs, zero: 1, full: 2}}"),
            "course.yaml:10:35: unknown unit 'GBs'; did you mean 'GB/s'?");
  EXPECT_EQ(ScaleMistakes("{h200: {zero: 1, full: 2}}"),
            "course.yaml:10:28: lab1.v1.throughput.h200 has no 'unit'; add 'unit: GB/s' or another of GB/s, GFLOP/s, "
            "share_of_copy and share_of_solution");
}

TEST(CourseThroughputTest, RefusesAbsoluteSpeedsOnAnyGpu) {
  EXPECT_EQ(ScaleMistakes("{any: {unit: GB/s, zero: 1, full: 2}}"),
            "course.yaml:10:34: lab1.v1.throughput.any: a speed in 'GB/s' is not comparable between GPUs; use "
            "share_of_copy or share_of_solution, or name a target");
}

TEST(CourseThroughputTest, RefusesBothOrNeitherOfStepsAndLinear) {
  EXPECT_EQ(ScaleMistakes("{h200: {unit: GB/s, zero: 1, full: 2, steps: [{at: 1, points: 2}]}}"),
            "course.yaml:10:28: lab1.v1.throughput.h200 has both 'steps' and 'zero'/'full'; remove one of the two");
  EXPECT_EQ(ScaleMistakes("{h200: {unit: GB/s}}"),
            "course.yaml:10:28: lab1.v1.throughput.h200 has no scale; add 'steps', or 'zero' and 'full'");
  EXPECT_EQ(ScaleMistakes("{h200: {unit: GB/s, zero: 1}}"),
            "course.yaml:10:28: lab1.v1.throughput.h200 has 'zero' without 'full'; add it");
  EXPECT_EQ(ScaleMistakes("{h200: {unit: GB/s, full: 1}}"),
            "course.yaml:10:28: lab1.v1.throughput.h200 has 'full' without 'zero'; add it");
}

TEST(CourseThroughputTest, RefusesALinearScaleThatDoesNotRise) {
  EXPECT_EQ(
      ScaleMistakes("{h200: {unit: GB/s, zero: 300, full: 300}}"),
      "course.yaml:10:47: lab1.v1.throughput.h200: zero 300 is not below full 300; 'full' must be the higher speed");
}

TEST(CourseThroughputTest, RefusesStepsThatDoNotRise) {
  EXPECT_EQ(ScaleMistakes("{h200: {unit: GB/s, steps: [{at: 200, points: 1}, {at: 100, points: 2}]}}"),
            "course.yaml:10:76: lab1.v1.throughput.h200.steps[1]: 100 is not above 200, the speed of the step before; "
            "write the steps in ascending order");
  EXPECT_EQ(ScaleMistakes("{h200: {unit: GB/s, steps: [{at: 100, points: 2}, {at: 200, points: 2}]}}"),
            "course.yaml:10:89: lab1.v1.throughput.h200.steps[1]: 2 points are not more than 2, the points of the step "
            "before; give more points for a higher speed");
}

TEST(CourseThroughputTest, RefusesStepsThatMissTheRungsPoints) {
  EXPECT_EQ(ScaleMistakes("{h200: {unit: GB/s, steps: [{at: 100, points: 1}, {at: 200, points: 3}]}}"),
            "course.yaml:10:71: lab1.v1.throughput.h200.steps: the highest step gives 3 points, but the rung has 2 for "
            "throughput; change one of them, so that both are the same");
  EXPECT_EQ(ScaleMistakes("{h200: {unit: GB/s, steps: [{at: 100, points: 1.5}]}}"),
            "course.yaml:10:49: lab1.v1.throughput.h200.steps: the highest step gives 1.5 points, but the rung has 2 "
            "for throughput; change one of them, so that both are the same");
}

TEST(CourseThroughputTest, RefusesStepsOfTheWrongShape) {
  EXPECT_EQ(ScaleMistakes("{h200: {unit: GB/s, steps: []}}"),
            "course.yaml:10:48: lab1.v1.throughput.h200.steps is not a list of steps; write '- {at: 100, points: 1}' "
            "for each");
  EXPECT_EQ(
      ScaleMistakes("{h200: {unit: GB/s, steps: [{points: 2}, {at: 5}]}}"),
      "course.yaml:10:49: lab1.v1.throughput.h200.steps[0] has no 'at'; add the speed at which the step "
      "starts\ncourse.yaml:10:62: lab1.v1.throughput.h200.steps[1] has no 'points'; add the points that it gives");
}

TEST(CourseThroughputTest, RefusesSpeedsOutOfRange) {
  EXPECT_EQ(ScaleMistakes("{any: {unit: share_of_copy, zero: 10, full: 70}}"),
            "course.yaml:10:55: lab1.v1.throughput.any.zero: 10 is too large for a share of the copy bandwidth; write "
            "0.7 for 70%\ncourse.yaml:10:65: lab1.v1.throughput.any.full: 70 is too large for a share of the copy "
            "bandwidth; write 0.7 for 70%");
  EXPECT_EQ(ScaleMistakes("{any: {unit: share_of_solution, zero: 0.3, full: 80}}"),
            "course.yaml:10:70: lab1.v1.throughput.any.full: 80 is too large for a share of the solution's speed; "
            "write 0.7 for 70%");
  EXPECT_EQ(ScaleMistakes("{h200: {unit: GB/s, zero: -1, full: 1e10}}"),
            "course.yaml:10:47: lab1.v1.throughput.h200.zero: -1 is negative; write a speed of 0 or "
            "more\ncourse.yaml:10:57: lab1.v1.throughput.h200.full: 1e10 is out of range; write at most 1e9");
  EXPECT_EQ(ScaleMistakes("{h200: {unit: GB/s, zero: 0, full: .inf}}"),
            "course.yaml:10:56: lab1.v1.throughput.h200.full: '.inf' is not a finite number; write a decimal number "
            "such as 0.9");
}

// Its text as CourseWithRung's, on a GPU whose peaks are known.
std::string PeakMistakes(const std::string& rung) {
  std::string text = CourseWithRung(kPoints + rung);
  const std::string target = "{match: NVIDIA H200}";
  text.replace(text.find(target), target.size(),
               "{match: NVIDIA H200, peak_bandwidth: 4800, peak_arithmetic: 66908, peak_tensor: 989000}");
  return Mistakes(text);
}

TEST(CourseThroughputTest, RefusesASpeedThatTheGpuCannotReach) {
  EXPECT_EQ(PeakMistakes("throughput: {h200: {unit: GB/s, zero: 400, full: 4800}}\n"), "");
  EXPECT_EQ(PeakMistakes("throughput: {h200: {unit: GB/s, zero: 400, full: 9000}}\n"),
            "course.yaml:10:58: lab1.v1.throughput.h200.full: nobody can reach 9000 GB/s, because peak_bandwidth of "
            "h200 is 4800; write a lower speed, or correct the peak");
  EXPECT_EQ(PeakMistakes("throughput: {h200: {unit: GFLOP/s, steps: [{at: 1, points: 1}, {at: 70000, points: 2}]}}\n"),
            "course.yaml:10:77: lab1.v1.throughput.h200.steps[1].at: nobody can reach 70000 GFLOP/s, because "
            "peak_arithmetic of h200 is 66908; write a lower speed, or correct the peak");
  EXPECT_EQ(PeakMistakes("arithmetic: tensor\nthroughput: {h200: {unit: GFLOP/s, zero: 1, full: 70000}}\n"), "");
  EXPECT_EQ(ScaleMistakes("{h200: {unit: GB/s, zero: 400, full: 9000}}"), "") << "its peak is not known";
}

TEST(CourseThroughputTest, RefusesAScaleWithoutPointsAndPointsWithoutAScale) {
  EXPECT_EQ(RungMistakes("points: {correctness: 8}\n"
                         "throughput: {h200: {unit: GB/s, zero: 1, full: 2}}\n"),
            "course.yaml:10:21: lab1.v1.throughput has a scale, but the rung has no throughput points; add points, or "
            "remove the scale");
  EXPECT_EQ(
      RungMistakes(kPoints),
      "course.yaml:9:17: lab1.v1 has 2 throughput points but no scale; add 'throughput: ...', or set throughput to 0");
  EXPECT_EQ(ScaleMistakes("{}"), "course.yaml:10:21: lab1.v1.throughput is empty; add a target");
}

TEST(CourseThroughputTest, ARungSaysWhatItComputesWith) {
  const std::string points = "points: {correctness: 1}\n";
  EXPECT_EQ(LoadText(CourseWithRung(points))->labs[0].rungs[0].arithmetic, Rung::Arithmetic::kFloat);
  EXPECT_EQ(LoadText(CourseWithRung(points + "arithmetic: float"))->labs[0].rungs[0].arithmetic,
            Rung::Arithmetic::kFloat);
  EXPECT_EQ(LoadText(CourseWithRung(points + "arithmetic: tensor"))->labs[0].rungs[0].arithmetic,
            Rung::Arithmetic::kTensor);
  EXPECT_EQ(RungMistakes(points + "arithmetic: tenser"),
            "course.yaml:10:21: unknown arithmetic 'tenser' in lab1.v1.arithmetic; did you mean 'tensor'?");
  EXPECT_EQ(RungMistakes(points + "arithmetic: fp8"),
            "course.yaml:10:21: unknown arithmetic 'fp8' in lab1.v1.arithmetic; the kinds are float and tensor");
  EXPECT_EQ(RungMistakes(points + "arithmetic: [tensor]"),
            "course.yaml:10:21: lab1.v1.arithmetic is a list; write some text");
}

}  // namespace
}  // namespace warpgrade::config
