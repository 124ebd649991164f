#include "grader/judge/technique.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <limits>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "tests/judge/fake/fake_rung.h"

namespace warpgrade::judge {
namespace {

using fake::FakeRung;

TEST(TechniqueTest, TakesTheMetricsOfTheTechniqueCase) {
  FakeRung rung("honest");
  rung.device.metrics = {{"shared_bank_conflicts", 31.0}};
  score::RungMeasurement m = rung.Run();
  ASSERT_TRUE(MeasureTechnique(rung.context(), &m).ok());
  EXPECT_TRUE(m.technique_measured);
  EXPECT_EQ(m.metrics.at("shared_bank_conflicts"), 31.0);
  EXPECT_EQ(m.metrics.at("elements"), 4096.0);
  EXPECT_EQ(m.cases, 6);
  EXPECT_EQ(m.cases_passed, 6);
}

TEST(TechniqueTest, SaysWhatTheLabNotesAboutTheMetrics) {
  for (const double blocks : {1000.0, 1001.0}) {
    FakeRung rung("honest");
    rung.device.metrics = {{"blocks", blocks}};
    score::RungMeasurement m = rung.Run();
    ASSERT_TRUE(MeasureTechnique(rung.context(), &m).ok());
    EXPECT_TRUE(m.technique_measured);
    EXPECT_EQ(m.messages,
              blocks > 1000 ? std::vector<std::string>{"these are many blocks"} : std::vector<std::string>());
  }
}

TEST(TechniqueTest, KeepsWhatIsAnotherValueOverTheWorkOfTheAnswer) {
  FakeRung rung("honest");
  rung.device.metrics = {{"threads", 1000.0}, {"atomics", 2.0}};
  rung.device.metrics_of_answer = {{"threads", 10.0}, {"atomics", 2.0}, {"flops", 1.0}};
  score::RungMeasurement m = rung.Run();
  ASSERT_TRUE(MeasureTechnique(rung.context(), &m).ok());
  EXPECT_EQ(m.answer_metrics, (std::map<std::string, double>{{"threads", 10.0}}));
  EXPECT_NE(m.metric_lines.at("threads").find("these kernels ran: decoy(); but nothing of the answer"),
            std::string::npos);
  EXPECT_FALSE(rung.device.watches_answer) << "it costs time";
}

// The fake device gives "elements" as a metric: 4096 in the case that is counted, 4032 in the other one.
TEST(TechniqueTest, AMetricThatIsFarWorseForAnotherSizeHasThatValue) {
  FakeRung rung("honest");
  rung.device.metrics_of_size[4032] = {{"flops", 126.0}, {"threads", 124.0}, {"atomics", 0.05}, {"occupancy", 99.0}};
  rung.device.metrics = {{"flops", 100.0}, {"threads", 100.0}, {"atomics", 0.0}, {"occupancy", 1.0}};
  score::RungMeasurement m = rung.Run();
  ASSERT_TRUE(MeasureTechnique(rung.context(), &m).ok());
  EXPECT_TRUE(m.technique_measured);
  EXPECT_EQ(m.answer_metrics, (std::map<std::string, double>{{"flops", 126.0}, {"occupancy", 99.0}}));
  EXPECT_EQ(m.metrics.at("flops"), 100.0);
  EXPECT_NE(m.metric_lines.at("flops").find("the value for n = 4032, which is far worse than the one for n = 4096"),
            std::string::npos);
  EXPECT_EQ(m.cases, 6) << "the other size is no case of its own";
  EXPECT_EQ(m.cases_passed, 6);
}

RungContext InOtherOrders(FakeRung* rung) {
  RungContext context = rung->context();
  context.order_seed = 7;
  return context;
}

// The first case in another order is the one that is counted; its metrics there are not used.
TEST(TechniqueTest, AWaitThatIsLongInOneOrderIsCountedInOthers) {
  FakeRung rung("honest");
  rung.device.metrics = {{"warp_instructions", 100.0}, {"atomics", 9.0}};
  rung.device.metrics_of_reordered = {{{"warp_instructions", 100.0}},
                                      {{"warp_instructions", 240.0}, {"atomics", 9.0}},
                                      {{"warp_instructions", 160.0}, {"atomics", 12.0}},
                                      {{"warp_instructions", 110.0}, {"atomics", 10.0}}};
  rung.device.may_depend_on_order = true;
  score::RungMeasurement m = rung.Run();
  ASSERT_TRUE(MeasureTechnique(InOtherOrders(&rung), &m).ok());
  EXPECT_TRUE(m.technique_measured);
  EXPECT_TRUE(m.answer_metrics.empty());
  EXPECT_EQ(m.metrics.at("warp_instructions"), 100.0);
  ASSERT_EQ(rung.device.orders.size(), 4u) << "no more than are needed";
  EXPECT_EQ(std::set<uint64_t>(rung.device.orders.begin(), rung.device.orders.end()).size(), 4u);
  EXPECT_EQ(m.cases_passed, 6);
}

TEST(TechniqueTest, AllMetricsOfTheOtherSizeComeFromOneOrder) {
  FakeRung rung("honest");
  rung.device.metrics = {{"warp_instructions", 100.0}, {"atomics", 100.0}};
  rung.device.metrics_of_reordered = {{},
                                      {{"warp_instructions", 100.0}, {"atomics", 300.0}},
                                      {{"warp_instructions", 200.0}, {"atomics", 150.0}},
                                      {{"warp_instructions", 300.0}, {"atomics", 100.0}}};
  rung.device.may_depend_on_order = true;
  score::RungMeasurement m = rung.Run();
  ASSERT_TRUE(MeasureTechnique(InOtherOrders(&rung), &m).ok());
  EXPECT_EQ(m.answer_metrics, (std::map<std::string, double>{{"warp_instructions", 200.0}, {"atomics", 150.0}}));
  EXPECT_EQ(rung.device.orders.size(), 5u);
}

TEST(TechniqueTest, AKernelThatWaitsForNobodyIsCountedInOneOrder) {
  FakeRung rung("honest");
  rung.device.metrics = {{"atomics", 100.0}};
  rung.device.metrics_of_reordered = {{{"atomics", 300.0}}, {{"atomics", 100.0}}};
  score::RungMeasurement m = rung.Run();
  ASSERT_TRUE(MeasureTechnique(InOtherOrders(&rung), &m).ok());
  EXPECT_EQ(m.answer_metrics, (std::map<std::string, double>{{"atomics", 300.0}}));
  EXPECT_EQ(rung.device.orders.size(), 1u);
}

// Allowed is 0.8 of what was counted, less by the smaller size: 78.75.
TEST(TechniqueTest, AMetricOfWhichMoreIsBetterIsWorseWhereItIsFarLess) {
  FakeRung rung("honest");
  rung.device.metrics = {{"efficiency", 100.0}, {"efficiency_of_loads", 100.0}};
  rung.device.metrics_of_size[4032] = {{"efficiency", 78.0}, {"efficiency_of_loads", 79.0}};
  score::RungMeasurement m = rung.Run();
  ASSERT_TRUE(MeasureTechnique(rung.context(), &m).ok());
  EXPECT_EQ(m.answer_metrics, (std::map<std::string, double>{{"efficiency", 78.0}}));
}

TEST(TechniqueTest, AMetricThatIsNoNumberIsComparedWithNothing) {
  FakeRung rung("honest");
  rung.device.metrics = {{"atomics", std::numeric_limits<double>::quiet_NaN()}, {"threads", 100.0}};
  rung.device.metrics_of_size[4032] = {{"atomics", 126.0}, {"threads", std::numeric_limits<double>::quiet_NaN()}};
  score::RungMeasurement m = rung.Run();
  ASSERT_TRUE(MeasureTechnique(rung.context(), &m).ok());
  EXPECT_TRUE(m.technique_measured);
  EXPECT_TRUE(m.answer_metrics.empty());
}

TEST(TechniqueTest, ARungThatIsWrongForAnotherSizeFails) {
  FakeRung rung("right_for_known_sizes");
  rung.device.pictures.steps.resize(1);
  score::RungMeasurement m = rung.Run();
  ASSERT_EQ(m.status, score::RungStatus::kPassed);
  ASSERT_TRUE(MeasureTechnique(rung.context(), &m).ok());
  EXPECT_EQ(m.status, score::RungStatus::kFailed);
  EXPECT_FALSE(m.technique_measured);
  ASSERT_EQ(m.failures.size(), 1u);
  EXPECT_EQ(m.failures[0].case_name, "n = 4032");
  EXPECT_TRUE(m.pictures.steps.empty()) << "its values are no explanation of the wrong ones";
  EXPECT_EQ(m.cases, 6);
  EXPECT_EQ(m.cases_passed, 5);
}

TEST(TechniqueTest, AWrongAnswerInItFailsTheRungAndMeasuresNothing) {
  FakeRung rung("wrong_tail");
  rung.Start();
  score::RungMeasurement m;
  ASSERT_TRUE(MeasureTechnique(rung.context(), &m).ok());
  EXPECT_EQ(m.status, score::RungStatus::kFailed);
  EXPECT_FALSE(m.technique_measured);
  EXPECT_TRUE(m.metrics.empty());
}

}  // namespace
}  // namespace warpgrade::judge
