// The points that attempts would get by another course: the same as scoring their measurements by it, or not known.
#include "grader/gradebook/rescore.h"

#include <functional>
#include <random>

#include "grader/gradebook/marks.h"
#include "grader/score/score.h"
#include "tests/gradebook/book_of_test.h"

namespace warpgrade::gradebook {
namespace {

using config::Points;
using score::RungMeasurement;
using testing::ElementsAre;
using testing::IsEmpty;
using Measurements = std::map<std::string, RungMeasurement>;

Points P(int points) { return Points::FromHundredths(points * 100); }

config::Rung ARung(const std::string& name) {
  config::Rung rung;
  rung.name = name;
  rung.correctness = P(8);
  rung.technique = P(2);
  rung.throughput = P(2);
  rung.technique_limits = {{{"atomics", std::nullopt, 4}, P(2), {{"threads", std::nullopt, 1e6}}}};
  rung.throughput_scales["any"].unit = config::ThroughputScale::Unit::kShareOfCopy;
  rung.throughput_scales["any"].zero = 0.2;
  rung.throughput_scales["any"].full = 0.6;
  return rung;
}

config::Course ACourse() {
  config::Course course;
  course.name = "C";
  course.targets = {{"h200", "NVIDIA H200", 4800, 66908, {}}};
  course.labs.emplace_back();
  course.labs[0].name = "lab1";
  course.labs[0].rungs = {ARung("v1"), ARung("v2")};
  course.labs[0].quiz = P(10);
  return course;
}

RungMeasurement Right(double atomics = 3) {
  RungMeasurement right;
  right.cases = right.cases_passed = right.cases_run = 12;
  right.technique_measured = true;
  right.metrics = {{"atomics", atomics}, {"threads", 1000}, {"flops", 64}};
  return right;
}

RungMeasurement Timed(double gb_s) {
  RungMeasurement timed = Right();
  timed.throughput.status = score::ThroughputMeasurement::Status::kMeasured;
  timed.throughput.value = gb_s;
  timed.throughput.ceiling = 4000;
  return timed;
}

class RescoreTest : public BookTest {
 protected:
  void SetUp() override { book_ = std::make_unique<Gradebook>(Open()); }

  score::ScoringContext Context(const config::Course& course) const {
    score::ScoringContext context;
    context.on_gpu = on_gpu_;
    if (on_gpu_ && !course.targets.empty()) {
      context.target_id = course.targets[0].id;
      context.peaks.gb_s = course.targets[0].peak_bandwidth_gb_s;
    }
    return context;
  }
  score::LabScore ScoreBy(const config::Course& course, const Measurements& measurements) const {
    score::LabScore lab = score::ScoreLab(course.labs[0], measurements, Context(course));
    if (course.labs[0].quiz) {
      RungMeasurement quiz;
      quiz.cases = 4;
      quiz.cases_passed = 3;
      score::AddRung(score::ScoreQuiz(*course.labs[0].quiz, quiz), &lab);
    }
    return lab;
  }
  // Hands v1.cu in, and grades it by `before_` with these measurements.
  void Grade(const std::string& student, const Measurements& measurements) {
    HandIn hand_in = AHandIn(student, student);
    hand_in.files = {{"lab1/v1.cu", student}};
    Conditions conditions = SomeConditions();
    conditions.device_kind = on_gpu_ ? "gpu" : "emulator";
    conditions.device_name = on_gpu_ ? "NVIDIA H200" : "emulator";
    const auto plan = book_->Plan({hand_in}, conditions, false, "batch");
    ASSERT_TRUE(plan.ok());
    score::GradingReport report;
    report.device.kind = conditions.device_kind;
    report.submissions = {score::ScoreSubmission(student, {ScoreBy(before_, measurements)})};
    ASSERT_TRUE(book_->AddGrading(plan->at(0), conditions, report, "batch", "").ok());
  }
  Rescored By(const config::Course& after) {
    Result<Rescored> rescored = Rescore(book_.get(), {before_, after, {{"lab1", ""}}});
    EXPECT_TRUE(rescored.ok()) << rescored.error().message;
    return std::move(*rescored);
  }
  // Why the only attempt is not known; "": it is, and its points are those of a new grading.
  std::string Why(const config::Course& after, const Measurements& measurements) {
    const Rescored rescored = By(after);
    if (!rescored.not_known.empty()) return rescored.not_known[0].why;
    EXPECT_EQ(rescored.labs.begin()->second.points, ScoreBy(after, measurements).points);
    EXPECT_EQ(rescored.labs.begin()->second.max_points, ScoreBy(after, measurements).max_points);
    return "";
  }

  bool on_gpu_ = false;
  config::Course before_ = ACourse();
  std::unique_ptr<Gradebook> book_;
};

TEST_F(RescoreTest, ChangedPointsAndLimitsAreComputedFromTheCounts) {
  const Measurements measured = {{"v1", Right(3)}};
  Grade("s1", measured);
  config::Course after = before_;
  after.labs[0].rungs[0].technique_limits[0].bounds.max = 2;
  EXPECT_EQ(Why(after, measured), "");
  EXPECT_EQ(By(after).labs.begin()->second.rungs[0].points, P(8));
  after.labs[0].rungs[0].technique_limits[0].bounds = {"flops", 64, std::nullopt};
  after.labs[0].rungs[0].correctness = P(20);
  after.labs[0].quiz = P(4);
  EXPECT_EQ(Why(after, measured), "");
  EXPECT_EQ(By(after).labs.begin()->second.points, P(20 + 2 + 3));
}

TEST_F(RescoreTest, ARungThatIsNewIsKnownOnlyIfItsFileWasNotHandedIn) {
  before_.labs[0].rungs.erase(before_.labs[0].rungs.begin());
  Grade("s1", {});
  config::Course after = before_;
  after.labs[0].rungs.push_back(ARung("v3"));
  EXPECT_EQ(Why(after, {}), "");
  after.labs[0].rungs.push_back(ARung("v1"));
  EXPECT_EQ(Why(after, {}), "v1: it is new in course.yaml");
}

TEST_F(RescoreTest, OtherRulesOfRunningNeedANewGradingUnlessNothingWasRun) {
  const Measurements measured = {{"v1", Right()}};
  Grade("s1", measured);
  config::Course after = before_;
  after.run_limits.wall_s = 5;
  EXPECT_EQ(Why(after, measured), "v1: `limits` have changed");
  after = before_;
  after.labs[0].rungs[1].allow.symbols = {"getenv"};
  EXPECT_EQ(Why(after, measured), "") << "v2 was not handed in";
  after.labs[0].rungs[0].allow.symbols = {"getenv"};
  EXPECT_EQ(Why(after, measured), "v1: `allow` has changed");
  after = before_;
  after.term = "next year";
  EXPECT_EQ(Why(after, measured), "quiz: its numbers depend on the name and the term of the course");
}

TEST_F(RescoreTest, SpeedsAreComparedWithNewScales) {
  on_gpu_ = true;
  const Measurements measured = {{"v1", Timed(1600)}};
  Grade("s1", measured);
  config::Course after = before_;
  after.labs[0].rungs[0].throughput_scales["any"].full = 0.4;
  EXPECT_EQ(Why(after, measured), "");
  config::ThroughputScale& own = after.labs[0].rungs[0].throughput_scales["h200"];
  own.zero = 0;
  own.full = 3200;
  EXPECT_EQ(Why(after, measured), "");
  EXPECT_EQ(By(after).labs.begin()->second.rungs[0].throughput_points, P(1));
  own.unit = config::ThroughputScale::Unit::kShareOfSolution;
  EXPECT_EQ(Why(after, measured), "v1: it was not timed with the solution");
  after = before_;
  after.targets[0].peak_bandwidth_gb_s = 1000;
  EXPECT_EQ(Why(after, measured), "v1: the peaks that its speed is compared with have changed");
}

TEST_F(RescoreTest, ARungThatWasNotTimedNeedsANewGradingForItsSpeed) {
  on_gpu_ = true;
  before_.labs[0].rungs[0].throughput = P(0);
  const Measurements measured = {{"v1", Right()}};
  Grade("s1", measured);
  EXPECT_EQ(Why(ACourse(), measured), "v1: it was not timed");
}

TEST_F(RescoreTest, WhatWasGradedByOtherRulesIsNotKnown) {
  Grade("s1", {{"v1", Right()}});
  const Result<Rescored> other = Rescore(book_.get(), {before_, before_, {{"lab1", "another hash"}}});
  ASSERT_EQ(other->not_known.size(), 1U);
  const Result<Rescored> same = Rescore(book_.get(), {before_, before_, {{"lab1", SomeConditions().rules}}});
  EXPECT_THAT(same->not_known, IsEmpty());
}

TEST_F(RescoreTest, TheNewPointsDecideWhichAttemptIsTheBest) {
  before_.hand_in.attempt = config::HandInRule::Attempt::kBest;
  before_.labs[0].hand_in = before_.hand_in;
  for (const int atomics : {3, 9}) {
    HandIn hand_in = AHandIn("s1", std::to_string(atomics), atomics);
    const auto plan = book_->Plan({hand_in}, SomeConditions(), false, "batch");
    score::GradingReport report;
    report.submissions = {score::ScoreSubmission("s1", {ScoreBy(before_, {{"v1", Right(atomics)}})})};
    ASSERT_TRUE(book_->AddGrading(plan->at(0), SomeConditions(), report, "batch", "").ok());
  }
  config::Course after = before_;
  after.labs[0].rungs[0].technique_limits[0].bounds = {"atomics", 5, std::nullopt};
  const Rescored rescored = By(after);
  const auto marks = CurrentMarks(book_.get(), {.details = false, .course = &after, .instead = &rescored.labs});
  ASSERT_TRUE(marks.ok());
  EXPECT_EQ(marks->submissions.at(0).labs.at(0).points, P(8 + 2) + Points::FromHundredths(750));
  EXPECT_EQ(marks->submissions.at(0).labs.at(0).hand_in.handed_in, "2026-11-22T10:15:09Z");
}

TEST_F(RescoreTest, ANewGroupOrBonusChangesWhatCounts) {
  Grade("s1", {{"v1", Right()}});
  config::Course after = before_;
  after.labs[0].counting.best_of = {{1, {"v1", "v2"}}};
  const score::LabScore best = By(after).labs.begin()->second;
  EXPECT_EQ(best.points, P(8 + 2) + Points::FromHundredths(750));
  EXPECT_EQ(best.max_points, after.labs[0].Total());
  after.labs[0].counting = {{"v1"}, {}};
  const score::LabScore bonus = By(after).labs.begin()->second;
  EXPECT_EQ(bonus.points, best.points);
  EXPECT_EQ(bonus.max_points, after.labs[0].Total());
  EXPECT_EQ(bonus.rungs.back().rung, "not_counted");
}

// Whatever was measured and whatever changes in the points, limits and scales.
TEST_F(RescoreTest, EqualsScoringAnewForDrawnCourses) {
  on_gpu_ = true;
  std::mt19937 random(20261126);
  const auto draw = [&random](int from, int to) { return std::uniform_int_distribution<int>(from, to)(random); };
  const auto change = [&draw](config::Course* course) {
    for (config::Rung& rung : course->labs[0].rungs) {
      rung.correctness = P(draw(0, 9));
      rung.throughput = P(draw(1, 5));
      config::TechniqueLimit& limit = rung.technique_limits[0];
      rung.technique = limit.points = P(draw(0, 5));
      limit.bounds.metric = draw(0, 1) == 0 ? "atomics" : "flops";
      limit.bounds.max = draw(0, 8);
      limit.provided[0].max = draw(0, 2000);
      rung.throughput_scales["any"].full = 0.3 + 0.1 * draw(0, 5);
    }
    course->labs[0].quiz = P(draw(1, 10));
  };
  for (int i = 0; i < 40; ++i) {
    change(&before_);
    Measurements measured = {{"v1", draw(0, 3) == 0 ? Right(draw(0, 8)) : Timed(draw(100, 5000))}};
    if (draw(0, 3) == 0) measured["v1"].cases_passed = 3;
    const std::string student = "s" + std::to_string(i);
    Grade(student, measured);
    config::Course after = before_;
    change(&after);
    const auto attempts = book_->Attempts(student, "lab1");
    const Rescored rescored = By(after);
    const auto found = rescored.labs.find(attempts->at(0).grading->measured);
    ASSERT_NE(found, rescored.labs.end());
    EXPECT_EQ(found->second.points, ScoreBy(after, measured).points);
    EXPECT_EQ(found->second.measurable_points, ScoreBy(after, measured).measurable_points);
  }
}

}  // namespace
}  // namespace warpgrade::gradebook
