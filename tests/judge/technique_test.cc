#include "grader/judge/technique.h"

#include <gtest/gtest.h>

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
