#include "grader/judge/second_opinion.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace warpgrade::judge {
namespace {

using score::RungStatus;
using testing::ElementsAre;

// A rung that passed on the GPU.
score::RungMeasurement Passed() {
  score::RungMeasurement m;
  m.cases = m.cases_run = m.cases_passed = 7;
  m.messages = {"the GPU's message"};
  m.throughput.reason = "the GPU's";
  return m;
}

Case CaseOf(const std::string& name, bool many_blocks) {
  Case c;
  c.name = name;
  c.many_blocks = many_blocks;
  return c;
}

std::vector<std::string> NamesOf(const std::vector<Case>& cases) {
  std::vector<std::string> names;
  for (const Case& c : cases) names.push_back(c.name);
  return names;
}

TEST(SecondOpinionTest, TheEmulatorLeavesCasesWithManyBlocksToTheGpuUnlessThereAreNoOthers) {
  EXPECT_THAT(NamesOf(CasesBeforeGpu({CaseOf("a", false), CaseOf("b", true), CaseOf("c", false)})),
              ElementsAre("a", "c"));
  EXPECT_THAT(NamesOf(CasesBeforeGpu({CaseOf("b", true)})), ElementsAre("b"));
  EXPECT_THAT(NamesOf(CasesBeforeGpu({})), ElementsAre());
}

TEST(SecondOpinionTest, TheEmulatorRunsCasesWithManyBlocksThatFailedOnTheGpuAndNoOthers) {
  const std::vector<Case> cases = {CaseOf("a", false), CaseOf("b", true), CaseOf("c", true)};
  score::RungMeasurement failed;
  EXPECT_THAT(NamesOf(CasesAfterGpu(cases, failed)), ElementsAre());
  failed.failures.emplace_back().case_name = "a";
  EXPECT_THAT(NamesOf(CasesAfterGpu(cases, failed)), ElementsAre());
  failed.failures.emplace_back().case_name = "c";
  EXPECT_THAT(NamesOf(CasesAfterGpu(cases, failed)), ElementsAre("c"));
}

TEST(SecondOpinionTest, WhatTheEmulatorSeesAfterTheGpuIsAddedAndChangesNothingElse) {
  score::RungMeasurement on_gpu, emulated;
  on_gpu.status = RungStatus::kCrashed;
  on_gpu.cases = 58;
  on_gpu.cases_passed = 56;
  on_gpu.failures.emplace_back().case_name = "b";
  on_gpu.failures.emplace_back().case_name = "hidden";
  emulated.status = RungStatus::kFailed;
  emulated.cases = 1;
  emulated.failures.emplace_back().case_name = "b";
  emulated.failures.back().explained = true;
  emulated.failures.back().message = "v1.cu:17: invalid configuration";
  emulated.findings.emplace_back().kind = "out-of-bounds";
  AddExplanation(emulated, &on_gpu);
  EXPECT_EQ(on_gpu.status, RungStatus::kCrashed);
  EXPECT_EQ(on_gpu.cases, 58);
  EXPECT_EQ(on_gpu.cases_passed, 56);
  ASSERT_EQ(on_gpu.failures.size(), 2u);
  EXPECT_TRUE(on_gpu.failures[0].explained);
  EXPECT_EQ(on_gpu.failures[0].message, "v1.cu:17: invalid configuration");
  EXPECT_FALSE(on_gpu.failures[1].explained);
  ASSERT_EQ(on_gpu.findings.size(), 1u);
  EXPECT_EQ(on_gpu.findings[0].kind, "out-of-bounds");
}

TEST(SecondOpinionTest, AFailureOnTheEmulatorSettlesTheVerdictUnlessTheEmulatorCannotRunTheProgram) {
  for (const auto status : {RungStatus::kFailed, RungStatus::kTimeout, RungStatus::kCrashed, RungStatus::kLimit,
                            RungStatus::kRefused, RungStatus::kNotWritten}) {
    score::RungMeasurement opinion;
    opinion.status = status;
    EXPECT_TRUE(SettlesTheVerdict(opinion, false));
    EXPECT_FALSE(SettlesTheVerdict(opinion, true));
  }
  EXPECT_FALSE(SettlesTheVerdict(Passed(), false));
  EXPECT_FALSE(SettlesTheVerdict(Passed(), true));
}

TEST(SecondOpinionTest, VerdictTechniqueAndFindingsAreTheEmulatorsAndThroughputIsTheGpus) {
  score::RungMeasurement opinion;
  opinion.status = RungStatus::kFailed;
  opinion.cases = 4;
  opinion.cases_run = 4;
  opinion.cases_passed = 3;
  opinion.cases_faulty = 1;
  opinion.technique_measured = true;
  opinion.metrics = {{"shared_bank_conflicts", 31}};
  opinion.metric_lines = {{"shared_bank_conflicts", "v3.cu:27: shared memory takes 32 turns"}};
  opinion.findings.emplace_back().kind = "shared-memory-race";
  opinion.failures.emplace_back().message = "the program is faulty";
  opinion.messages = {"the emulator's message"};
  opinion.throughput.reason = "the emulator's";
  score::RungMeasurement m = Passed();
  AddSecondOpinion(opinion, false, &m);
  EXPECT_EQ(m.status, RungStatus::kFailed);
  EXPECT_EQ(m.cases, 11);
  EXPECT_EQ(m.cases_run, 11);
  EXPECT_EQ(m.cases_passed, 10);
  EXPECT_EQ(m.cases_faulty, 1);
  EXPECT_TRUE(m.technique_measured);
  EXPECT_EQ(m.metrics, opinion.metrics);
  EXPECT_EQ(m.metric_lines, opinion.metric_lines);
  ASSERT_EQ(m.findings.size(), 1u);
  EXPECT_EQ(m.findings[0].kind, "shared-memory-race");
  ASSERT_EQ(m.failures.size(), 1u);
  EXPECT_EQ(m.failures[0].message, "the program is faulty");
  EXPECT_THAT(m.messages, ElementsAre("the GPU's message", "the emulator's message"));
  EXPECT_EQ(m.throughput.reason, "the GPU's");
}

TEST(SecondOpinionTest, WhatTheEmulatorCannotRunCostsOnlyTheTechnique) {
  score::RungMeasurement opinion;
  opinion.status = RungStatus::kCrashed;
  opinion.cases = 4;
  opinion.messages = {"cudaMemcpyPeer is not there"};
  opinion.failures.emplace_back().message = "the program ended during this case";
  score::RungMeasurement m = Passed();
  AddSecondOpinion(opinion, true, &m);
  EXPECT_EQ(m.status, RungStatus::kPassed);
  EXPECT_EQ(m.cases, 7);
  EXPECT_EQ(m.cases_passed, 7);
  EXPECT_FALSE(m.technique_measured);
  EXPECT_TRUE(m.failures.empty());
  EXPECT_THAT(m.messages,
              ElementsAre("the GPU's message", "technique was not measured: the emulator cannot run this program",
                          "cudaMemcpyPeer is not there", "the program ended during this case"));
}

TEST(SecondOpinionTest, TheSpeedOfAProgramThatTheEmulatorCannotRunWaitsForAPerson) {
  score::ThroughputMeasurement throughput;
  throughput.reason = "only a correct rung is timed";
  FlagUnwatched(&throughput);
  EXPECT_EQ(throughput.status, score::ThroughputMeasurement::Status::kNotMeasured);
  EXPECT_EQ(throughput.reason, "only a correct rung is timed");
  throughput = {.status = score::ThroughputMeasurement::Status::kMeasured, .value = 100};
  FlagUnwatched(&throughput);
  EXPECT_EQ(throughput.status, score::ThroughputMeasurement::Status::kFlagged);
  EXPECT_THAT(throughput.reason, testing::HasSubstr("warpgrade accept"));
}

}  // namespace
}  // namespace warpgrade::judge
