#include "grader/judge/steps.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "grader/judge/judge.h"
#include "tests/judge/toy_request.h"

namespace warpgrade::judge {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

JudgeRequest StepsRequest(const std::string& student) {
  JudgeRequest request = RequestToy(student);
  request.parts.only_pictures = true;
  request.parts.steps.emplace();
  return request;
}

TEST(JudgedStepsTest, ABlockIsRecordedIfAskedForAndTheSameEveryTime) {
  JudgeRequest request = StepsRequest("honest");
  const Result<score::RungMeasurement> m = JudgeRungInProcess(request);
  ASSERT_TRUE(m.ok());
  ASSERT_EQ(m->pictures.steps.size(), 1u);
  const score::BlockSteps& block = m->pictures.steps[0];
  EXPECT_EQ(block.launch, 1u);
  ASSERT_FALSE(block.steps.empty());
  EXPECT_FALSE(block.steps[0].writes.empty());
  EXPECT_FALSE(block.steps[0].lines.empty());
  EXPECT_EQ(block.left_out, 0u);
  const Result<score::RungMeasurement> again = JudgeRungInProcess(request);
  ASSERT_TRUE(again.ok());
  ASSERT_EQ(again->pictures.steps.size(), 1u);
  EXPECT_EQ(again->pictures.steps[0].steps[0].writes.at(0).what.bits, block.steps[0].writes.at(0).what.bits);
  request.parts.steps.reset();
  const Result<score::RungMeasurement> without = JudgeRungInProcess(request);
  ASSERT_TRUE(without.ok());
  EXPECT_THAT(without->pictures.steps, IsEmpty());
}

TEST(JudgedStepsTest, GradingRecordsABlockOfTheCaseForTechniqueIfPicturesAreWanted) {
  JudgeRequest request = StepsRequest("honest");
  request.parts.only_pictures = false;
  request.parts.pictures = true;
  const Result<score::RungMeasurement> m = JudgeRungInProcess(request);
  ASSERT_TRUE(m.ok());
  EXPECT_TRUE(m->technique_measured);
  ASSERT_EQ(m->pictures.steps.size(), 1u);
  EXPECT_FALSE(m->pictures.steps[0].steps.empty());
  request.parts.steps.reset();
  const Result<score::RungMeasurement> without = JudgeRungInProcess(request);
  ASSERT_TRUE(without.ok());
  EXPECT_THAT(without->pictures.steps, IsEmpty());
  EXPECT_FALSE(without->pictures.requests.empty());
}

TEST(JudgedStepsTest, ABlockThatNoGridHasIsNotThere) {
  JudgeRequest request = StepsRequest("honest");
  request.parts.steps->block = 1'000'000;
  const Result<score::RungMeasurement> m = JudgeRungInProcess(request);
  ASSERT_TRUE(m.ok());
  EXPECT_THAT(m->pictures.steps, IsEmpty());
}

// A program whose lines are those of its own file, of a header, and of none.
struct Recorded {
  ptx::Module module;
  emulator::Program program;
  emulator::RecordedSteps steps;
  Recorded() {
    module.files = {"v1.cu", "/usr/include/header.h"};
    program.module = &module;
    for (const auto& [file, line] : {std::pair(0, 7), {1, 8}, {-1, 0}}) {
      emulator::InstOrigin& origin = program.origins.emplace_back();
      origin.file = file;
      origin.line = line;
    }
    steps.ran = true;
  }
  void Write(uint32_t step, uint32_t inst, uint64_t value) {
    steps.counts[{step, 0}].shared_store_requests += 1;
    emulator::StepAccess access;
    access.step = {step, 0};
    access.inst = inst;
    access.does = emulator::StepDoes::kWrite;
    access.bytes = 4;
    access.at = 16;
    access.value = value;
    steps.accesses.push_back(access);
  }
  std::vector<score::BlockSteps> ToScore() const {
    emulator::StepsOfLaunches launches;
    const emulator::RequestedBy by{program, "k", {5}, {32}};
    launches.Add(by, steps, [](emulator::StepSpace, uint64_t) { return emulator::StepArray{"tile", 8, 64}; });
    return judge::ToScore(launches, "v1");
  }
};

TEST(JudgedStepsTest, LinesAreThoseOfTheRungsOwnFile) {
  Recorded recorded;
  for (uint32_t inst = 0; inst < 3; ++inst) recorded.Write(0, inst, inst);
  const std::vector<score::BlockSteps> blocks = recorded.ToScore();
  ASSERT_EQ(blocks.size(), 1u);
  EXPECT_THAT(blocks[0].steps.at(0).lines, ElementsAre(7));
  EXPECT_EQ(blocks[0].steps[0].writes.size(), 3u);
  EXPECT_EQ(blocks[0].steps[0].writes[2].what.element, 2u) << "8 bytes behind the start of the array";
  EXPECT_EQ(blocks[0].arrays.at(0).elements, 16u);
  EXPECT_EQ(blocks[0].steps[0].shared_stores, 3u);
}

TEST(JudgedStepsTest, ManyValuesAreCutAndStillCounted) {
  Recorded recorded;
  for (uint32_t step = 0; step < 5; ++step) {
    for (size_t i = 0; i < kMostStepValues / 3; ++i) recorded.Write(step, 0, i);
  }
  const std::vector<score::BlockSteps> blocks = recorded.ToScore();
  ASSERT_EQ(blocks.size(), 1u);
  ASSERT_EQ(blocks[0].steps.size(), 5u);
  EXPECT_EQ(blocks[0].steps[2].writes.size(), kMostStepValues / 3);
  EXPECT_THAT(blocks[0].steps[3].writes, IsEmpty());
  EXPECT_EQ(blocks[0].steps[4].shared_stores, kMostStepValues / 3);
  EXPECT_EQ(blocks[0].left_out, 2 * (kMostStepValues / 3));
}

}  // namespace
}  // namespace warpgrade::judge
