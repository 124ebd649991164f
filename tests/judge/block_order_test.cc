// CUDA promises no order of blocks: a program that needs one fails, and is told why. All others keep their verdicts,
// counts and messages. Real nvcc students of the toy lab, on the emulator, in this process.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <string>

#include "grader/judge/judge.h"
#include "tests/judge/toy_request.h"

namespace warpgrade::judge {
namespace {

using score::RungMeasurement;
using score::RungStatus;
using testing::Contains;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;

RungMeasurement JudgeOrdered(const std::string& student, uint64_t seed, int only_case = 0) {
  JudgeRequest request = RequestToy(student);
  request.emulator_threads = 1;
  request.delay_seed = seed;
  request.only_case = only_case;
  request.parts.technique = only_case == 0;
  return JudgeToy(request);
}

constexpr char kWords[] = "the result depends on the order in which blocks and warps run";

TEST(BlockOrderTest, AProgramThatNeedsTheOrderOfTheNumbersFailsAndIsToldWhy) {
  EXPECT_EQ(JudgeOrdered("last_number", 0).status, RungStatus::kPassed) << "seed 0: the order of the numbers";
  for (uint64_t seed = 1; seed <= 8; ++seed) {
    SCOPED_TRACE(seed);
    const RungMeasurement m = JudgeOrdered("last_number", seed);
    EXPECT_EQ(m.status, RungStatus::kFailed);
    EXPECT_THAT(m.messages, Contains(HasSubstr(kWords)));
    EXPECT_EQ(std::count_if(m.messages.begin(), m.messages.end(),
                            [](const std::string& text) { return text.find(kWords) != std::string::npos; }),
              1)
        << "it is said once";
    EXPECT_EQ(m.delay_seed, seed);
    EXPECT_FALSE(m.technique_measured);
    EXPECT_EQ(m.cases_run, 5);
  }
}

TEST(BlockOrderTest, AProgramThatDecidesByAnAtomicPassesInEveryOrder) {
  const RungMeasurement in_order = JudgeOrdered("last_to_finish", 0);
  ASSERT_EQ(in_order.status, RungStatus::kPassed);
  ASSERT_TRUE(in_order.technique_measured);
  for (uint64_t seed = 1; seed <= 8; ++seed) {
    SCOPED_TRACE(seed);
    const RungMeasurement m = JudgeOrdered("last_to_finish", seed);
    EXPECT_EQ(m.status, RungStatus::kPassed);
    EXPECT_EQ(m.cases, in_order.cases);
    EXPECT_EQ(m.cases_passed, in_order.cases_passed);
    EXPECT_EQ(m.metrics, in_order.metrics) << "technique is counted in the order of the numbers";
    EXPECT_THAT(m.messages, IsEmpty());
    EXPECT_EQ(m.delay_seed, 0u);
  }
}

TEST(BlockOrderTest, TheCaseThatIsCountedIsCheckedInAnotherOrderToo) {
  ASSERT_EQ(JudgeOrdered("last_number_in_one_case", 0).status, RungStatus::kPassed);
  for (uint64_t seed = 1; seed <= 4; ++seed) {
    SCOPED_TRACE(seed);
    const RungMeasurement m = JudgeOrdered("last_number_in_one_case", seed);
    EXPECT_EQ(m.status, RungStatus::kFailed);
    EXPECT_EQ(m.cases_run, 6);
    EXPECT_EQ(m.cases_passed, 5);
    EXPECT_FALSE(m.technique_measured);
    EXPECT_THAT(m.metrics, IsEmpty());
    EXPECT_THAT(m.messages, Contains(HasSubstr(kWords)));
  }
}

TEST(BlockOrderTest, AProgramThatCountsItsCallsIsCaughtInTheOtherSize) {
  ASSERT_EQ(JudgeOrdered("counts_its_calls", 0).status, RungStatus::kPassed);
  for (uint64_t seed = 1; seed <= 4; ++seed) {
    SCOPED_TRACE(seed);
    const RungMeasurement m = JudgeOrdered("counts_its_calls", seed);
    EXPECT_EQ(m.status, RungStatus::kFailed);
    EXPECT_FALSE(m.technique_measured);
  }
}

// Case 4 has 32 blocks.
TEST(BlockOrderTest, ACaseAloneRunsInTheSameOrderAsAmongAllCases) {
  for (uint64_t seed = 1; seed <= 6; ++seed) {
    SCOPED_TRACE(seed);
    const RungMeasurement all = JudgeOrdered("last_number", seed), one = JudgeOrdered("last_number", seed, 4);
    const bool wrong = std::any_of(all.findings.begin(), all.findings.end(),
                                   [](const score::Finding& f) { return f.case_name == "n = 1000"; }) ||
                       std::any_of(all.failures.begin(), all.failures.end(),
                                   [](const score::CaseFailure& f) { return f.case_name == "n = 1000"; });
    EXPECT_EQ(one.status == RungStatus::kFailed, wrong);
    EXPECT_EQ(wrong, seed % 2 == 0) << "every second case";
  }
}

TEST(BlockOrderTest, WhatIsWrongInTheOrderOfTheNumbersIsToldAsEver) {
  for (const char* student : {"wrong_tail", "racy", "out_of_bounds", "faults_once", "waits_for_ever", "bad_launch"}) {
    const RungMeasurement in_order = JudgeOrdered(student, 0);
    for (uint64_t seed = 1; seed <= 4; ++seed) {
      SCOPED_TRACE(std::string(student) + ", seed " + std::to_string(seed));
      const RungMeasurement m = JudgeOrdered(student, seed);
      EXPECT_EQ(m.status, in_order.status);
      EXPECT_EQ(m.cases_run, in_order.cases_run);
      EXPECT_EQ(m.cases_passed, in_order.cases_passed);
      EXPECT_THAT(m.messages, Not(Contains(HasSubstr(kWords))));
      EXPECT_EQ(m.delay_seed, 0u);
      ASSERT_EQ(m.findings.size(), in_order.findings.size());
      for (size_t k = 0; k < m.findings.size(); ++k) {
        EXPECT_EQ(m.findings[k].kind, in_order.findings[k].kind);
        EXPECT_EQ(m.findings[k].line, in_order.findings[k].line);
        EXPECT_EQ(m.findings[k].block, in_order.findings[k].block);
        EXPECT_EQ(m.findings[k].count, in_order.findings[k].count);
        EXPECT_EQ(m.findings[k].cases, in_order.findings[k].cases);
      }
    }
  }
}

// Its launches need more than the small share of the budget that a case in another order gets first.
TEST(BlockOrderTest, ALongKernelIsJudgedInAnotherOrderWithItsWholeBudget) {
  for (const bool right : {false, true}) {
    JudgeRequest request = RequestToy(right ? "last_to_finish" : "last_number");
    request.limits.instruction_budget = 20'000;
    request.limits.total_instruction_budget = 20'000'000;
    for (request.delay_seed = 1; request.delay_seed <= 2; ++request.delay_seed) {
      const RungMeasurement m = JudgeToy(request);
      EXPECT_EQ(m.status, right ? RungStatus::kPassed : RungStatus::kFailed) << "seed " << request.delay_seed;
    }
  }
}

// The whole budget of all launches is little more than that of one. It is enough for both orders.
TEST(BlockOrderTest, AnEndlessKernelUsesUpTheBudgetOfOneLaunchInOneOrderOnly) {
  constexpr uint64_t kBudget = 40'000'000;
  for (const char* student : {"steps_for_ever", "counts_for_ever"}) {
    JudgeRequest request = RequestToy(student);
    request.emulator_threads = 1;
    request.limits.instruction_budget = kBudget;
    request.limits.total_instruction_budget = kBudget * 11 / 10;
    for (request.delay_seed = 0; request.delay_seed <= 2; ++request.delay_seed) {
      SCOPED_TRACE(std::string(student) + ", seed " + std::to_string(request.delay_seed));
      const RungMeasurement m = JudgeToy(request);
      EXPECT_EQ(m.status, RungStatus::kTimeout);
      ASSERT_EQ(m.findings.size(), 1u);
      EXPECT_EQ(m.findings[0].kind, "endless-loop");
      const bool counts = request.rung == "counts_for_ever";
      EXPECT_THAT(m.findings[0].message,
                  HasSubstr(counts ? "still running after 40000000 instructions" : "this loop never ends"));
    }
  }
}

}  // namespace
}  // namespace warpgrade::judge
