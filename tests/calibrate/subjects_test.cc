#include "grader/calibrate/subjects.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include "tests/calibrate/made.h"

namespace warpgrade::calibrate {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;
using testing::SizeIs;
using Unit = config::ThroughputScale::Unit;

// lab1 with v1, v2 and v3 of 2 points each, with scales for h200.
std::vector<config::Lab> OneLab() {
  config::Lab lab;
  lab.name = "lab1";
  for (const char* name : {"v1", "v2", "v3"}) {
    config::Rung rung;
    rung.name = name;
    rung.throughput = Whole(2);
    rung.throughput_scales["h200"] = Linear(100, 300);
    lab.rungs.push_back(rung);
  }
  return {lab};
}

Ladder OneLadder() {
  Ladder ladder;
  ladder.before = {{{"lab1", "v2"}, "v1"}, {{"lab1", "v3"}, "v2"}};
  ladder.same_as[Earlier("v3", "v1")] = SolutionOf("v1");
  return ladder;
}

Measurements OneGpu(double scale = 1) {
  Measurements measurements;
  measurements.device.name = "NVIDIA H200";
  measurements.gradings = {GradingOf(SolutionOf("v1"), 400 * scale),    GradingOf(SolutionOf("v2"), 900 * scale),
                           GradingOf(SolutionOf("v3"), 3000 * scale),   GradingOf(Earlier("v2", "v1"), 401 * scale),
                           GradingOf(Earlier("v3", "v2"), 901 * scale), GradingOf(SolutionOf("v3"), 3010 * scale, 2)};
  for (Grading& grading : measurements.gradings) *grading.speed.ceiling *= scale;
  return measurements;
}

const Speeds* Find(const Subject& subject, const Program& program) {
  for (const Speeds& one : subject.programs) {
    if (one.program == program) return &one;
  }
  return nullptr;
}

TEST(SubjectsTest, EachMeasuredRungIsASubjectWithItsProgramsAndItsScale) {
  const auto subjects = SubjectsOf(OneLab(), OneGpu(), "h200", OneLadder());
  ASSERT_THAT(subjects, SizeIs(3));
  const Subject& v3 = subjects[2];
  EXPECT_EQ(v3.target, "h200");
  EXPECT_EQ(v3.before, "v2");
  EXPECT_EQ(v3.unit, Unit::kGigabytesPerSecond);
  ASSERT_TRUE(v3.now);
  EXPECT_EQ(v3.now->full, 300);
  EXPECT_THAT(Find(v3, SolutionOf("v3"))->values, ElementsAre(3000, 3010));
  EXPECT_THAT(Find(v3, Earlier("v3", "v2"))->values, ElementsAre(901));
}

TEST(SubjectsTest, TheSolutionOfAStillEarlierRungCountsAsHandedIn) {
  const auto subjects = SubjectsOf(OneLab(), OneGpu(), "h200", OneLadder());
  const Speeds* v1 = Find(subjects[2], Earlier("v3", "v1"));
  ASSERT_NE(v1, nullptr);
  EXPECT_THAT(v1->values, ElementsAre(400));
}

TEST(SubjectsTest, ANewTargetGetsTheUnitOfAnotherOneAndNotTheSharesForAnyGpu) {
  std::vector<config::Lab> labs = OneLab();
  for (config::Rung& rung : labs[0].rungs) {
    rung.throughput_scales["any"] = Linear(0.3, 0.8);
    rung.throughput_scales["any"].unit = Unit::kShareOfSolution;
  }
  labs[0].rungs[0].throughput_scales.erase("h200");
  const auto subjects = SubjectsOf(labs, OneGpu(), "a100", OneLadder());
  EXPECT_EQ(subjects[0].unit, Unit::kShareOfSolution);
  EXPECT_EQ(subjects[0].target, "any");
  EXPECT_EQ(subjects[1].unit, Unit::kGigabytesPerSecond);
  EXPECT_EQ(subjects[1].target, "a100");
}

TEST(SubjectsTest, ANewTargetGetsTheUnitOfAnotherOne) {
  std::vector<config::Lab> labs = OneLab();
  labs[0].rungs[2].throughput_scales["h200"].unit = Unit::kShareOfCopy;
  const auto subjects = SubjectsOf(labs, OneGpu(), "h100", OneLadder());
  EXPECT_EQ(subjects[1].unit, Unit::kGigabytesPerSecond);
  EXPECT_EQ(subjects[1].now, std::nullopt);
  EXPECT_EQ(subjects[2].unit, Unit::kShareOfCopy);
  EXPECT_THAT(Find(subjects[2], SolutionOf("v3"))->values, ElementsAre(0.75, 0.7525));
}

TEST(SubjectsTest, WhatIsLeftOutOrInAnotherUnitGivesNoValue) {
  Measurements gpu = OneGpu();
  gpu.gradings[0].left_out = "it did not pass: crashed";
  gpu.gradings[1].speed.unit = "GFLOP/s";
  const auto subjects = SubjectsOf(OneLab(), gpu, "h200", OneLadder());
  EXPECT_THAT(Find(subjects[0], SolutionOf("v1"))->values, IsEmpty());
  EXPECT_THAT(Find(subjects[0], SolutionOf("v1"))->left_out, ElementsAre("it did not pass: crashed"));
  EXPECT_THAT(Find(subjects[1], SolutionOf("v2"))->left_out, ElementsAre("it was measured in another unit"));
}

TEST(SubjectsTest, RungsWithoutPointsOrMeasurementsAreLeftOut) {
  std::vector<config::Lab> labs = OneLab();
  labs[0].rungs[0].throughput = config::Points();
  Measurements gpu = OneGpu();
  std::erase_if(gpu.gradings, [](const Grading& one) { return one.program.rung == "v2"; });
  const auto subjects = SubjectsOf(labs, gpu, "h200", OneLadder());
  ASSERT_THAT(subjects, SizeIs(1));
  EXPECT_EQ(subjects[0].rung, "v3");
}

TEST(SubjectsTest, ARungThatIsComparedWithTheSolutionEverywhereKeepsAny) {
  std::vector<config::Lab> labs = OneLab();
  config::ThroughputScale any = Linear(0.5, 0.85);
  any.unit = Unit::kShareOfSolution;
  labs[0].rungs[0].throughput_scales = {{"any", any}};
  Measurements gpu = OneGpu();
  gpu.gradings[0].speed.ceiling = 405;
  gpu.gradings[0].speed.ceiling_of = score::ThroughputMeasurement::Ceiling::kSolution;
  const auto subjects = SubjectsOf(labs, gpu, "h100", OneLadder());
  EXPECT_EQ(subjects[0].target, "any");
  EXPECT_EQ(subjects[0].unit, Unit::kShareOfSolution);
  ASSERT_TRUE(subjects[0].now);
  EXPECT_THAT(Find(subjects[0], SolutionOf("v1"))->values, ElementsAre(400.0 / 405));
}

TEST(ModelSubjectsTest, MemoryBoundRungsAreSharesOfTheCopyAndOthersOfTheSolution) {
  Measurements other = OneGpu(0.7);
  other.device.name = "NVIDIA H100 80GB HBM3";
  const auto subjects = ModelSubjects(OneLab(), {OneGpu(), other}, OneLadder());
  ASSERT_THAT(subjects, SizeIs(3));
  EXPECT_EQ(subjects[0].target, "any");
  EXPECT_EQ(subjects[0].now, std::nullopt);
  EXPECT_EQ(subjects[1].unit, Unit::kShareOfSolution);
  EXPECT_THAT(Find(subjects[1], SolutionOf("v2"))->values, ElementsAre(1, 1));
  EXPECT_THAT(Find(subjects[1], Earlier("v2", "v1"))->values, SizeIs(2));
  EXPECT_NEAR(Find(subjects[1], Earlier("v2", "v1"))->values[1], 401.0 / 900, 1e-9);
  EXPECT_EQ(subjects[2].unit, Unit::kShareOfCopy);
  EXPECT_THAT(Find(subjects[2], SolutionOf("v3"))->values, SizeIs(4));
  EXPECT_NEAR(Find(subjects[2], SolutionOf("v3"))->values[2], 0.75, 1e-9);
}

TEST(ModelSubjectsTest, ASolutionWithAnotherShareOfTheCopyOnEachGpuIsNotBoundByMemory) {
  Measurements other = OneGpu();
  other.device.name = "NVIDIA H100 80GB HBM3";
  for (Grading& grading : other.gradings) *grading.speed.ceiling *= 0.8;
  const auto subjects = ModelSubjects(OneLab(), {OneGpu(), other}, OneLadder());
  EXPECT_EQ(subjects[2].unit, Unit::kShareOfSolution);
}

TEST(ModelSubjectsTest, ForACheckTheUnitIsThatOfCourseYaml) {
  std::vector<config::Lab> labs = OneLab();
  config::ThroughputScale any = Linear(0.05, 0.2);
  any.unit = Unit::kShareOfCopy;
  labs[0].rungs[1].throughput_scales["any"] = any;
  EXPECT_EQ(ModelSubjects(labs, {OneGpu()}, OneLadder())[1].unit, Unit::kShareOfSolution);
  const auto subjects = ModelSubjects(labs, {OneGpu()}, OneLadder(), true);
  EXPECT_EQ(subjects[1].unit, Unit::kShareOfCopy);
  EXPECT_THAT(Find(subjects[1], SolutionOf("v2"))->values, ElementsAre(0.225));
}

}  // namespace
}  // namespace warpgrade::calibrate
