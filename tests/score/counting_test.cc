// What counts of the rungs of a lab: situations, and labs at random. tests/report/counting_test.cc has the formats.
#include "grader/score/counting.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>
#include <random>

#include "grader/config/course.h"
#include "grader/score/score.h"
#include "grader/score/visibility.h"

namespace warpgrade::score {
namespace {

using config::Points;
using config::Visibility;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::Not;
using Counts = RungScore::Counts;

Points Pt(int64_t points) { return Points::FromHundredths(100 * points); }

RungScore RungWith(const std::string& name, int points, int most = 20) {
  RungScore rung;
  rung.rung = name;
  rung.points = rung.correctness_points = Pt(points);
  rung.max_points = rung.measurable_points = rung.correctness_max = Pt(most);
  rung.measurable_points = rung.max_points;
  return rung;
}

LabScore LabWith(const std::vector<RungScore>& rungs) {
  LabScore lab;
  lab.lab = "lab1";
  for (const RungScore& rung : rungs) AddRung(rung, &lab);
  return lab;
}

const RungScore* FindIn(const LabScore& lab, const std::string& name) {
  for (const RungScore& rung : lab.rungs) {
    if (rung.rung == name) return &rung;
  }
  return nullptr;
}

std::vector<std::string> NamesOf(const LabScore& lab) {
  std::vector<std::string> names;
  for (const RungScore& rung : lab.rungs) names.push_back(rung.rung);
  return names;
}

// The sums of a lab are those of its rungs and of what stands beside them.
void ExpectSums(const LabScore& lab) {
  Points points, most, measurable;
  for (const RungScore& rung : lab.rungs) {
    points += rung.points;
    most += rung.max_points;
    measurable += rung.measurable_points;
  }
  EXPECT_EQ(lab.points, points);
  EXPECT_EQ(lab.max_points, most);
  EXPECT_EQ(lab.measurable_points, measurable);
}

const config::CountingRule kBestTwo = {{}, {{2, {"v1", "v2", "v3"}}}};

TEST(CountingTest, WithoutARuleNothingChanges) {
  LabScore lab = LabWith({RungWith("v1", 5)});
  CountPoints({}, &lab);
  EXPECT_THAT(NamesOf(lab), ElementsAre("v1"));
  EXPECT_EQ(lab.points, Pt(5));
}

TEST(CountingTest, ABonusComesOnTopOfThePointsOfTheLab) {
  LabScore lab = LabWith({RungWith("v1", 20), RungWith("v2", 3, 5)});
  CountPoints({{"v2"}, {}}, &lab);
  EXPECT_EQ(lab.points, Pt(23));
  EXPECT_EQ(lab.max_points, Pt(20));
  EXPECT_EQ(lab.measurable_points, Pt(20));
  EXPECT_EQ(FindIn(lab, "v2")->counts, Counts::kBonus);
  const RungScore* row = FindIn(lab, config::kNotCountedName);
  ASSERT_NE(row, nullptr);
  EXPECT_EQ(row->points, Points());
  EXPECT_THAT(row->measurement.messages, ElementsAre("a bonus, on top of the lab's points: v2 3/5"));
  ExpectSums(lab);
}

TEST(CountingTest, OnlyTheBestOfAGroupCount) {
  LabScore lab = LabWith({RungWith("v1", 10), RungWith("v2", 20), RungWith("v3", 15), RungWith("v4", 1)});
  CountPoints(kBestTwo, &lab);
  EXPECT_EQ(lab.points, Pt(36));
  EXPECT_EQ(lab.max_points, Pt(60));
  EXPECT_EQ(FindIn(lab, "v1")->counts, Counts::kNo);
  EXPECT_EQ(FindIn(lab, "v3")->counts, Counts::kYes);
  EXPECT_THAT(FindIn(lab, config::kNotCountedName)->measurement.messages,
              ElementsAre("not counted: v1 10/20; only the best 2 of v1, v2, v3 count"));
  ExpectSums(lab);
}

TEST(CountingTest, OfEqualRungsTheFirstCount) {
  LabScore lab = LabWith({RungWith("v1", 10), RungWith("v2", 10), RungWith("v3", 10)});
  CountPoints(kBestTwo, &lab);
  EXPECT_EQ(FindIn(lab, "v3")->counts, Counts::kNo);
}

TEST(CountingTest, WhereOnlySomeRungsWereGradedTheBestOfTheseCount) {
  LabScore lab = LabWith({RungWith("v1", 10), RungWith("v3", 5)});
  CountPoints(kBestTwo, &lab);
  EXPECT_EQ(lab.points, Pt(15));
  EXPECT_THAT(NamesOf(lab), ElementsAre("v1", "v3"));
}

TEST(CountingTest, CountsAnewWhenPointsHaveChanged) {
  LabScore lab = LabWith({RungWith("v1", 10), RungWith("v2", 20), RungWith("v3", 15)});
  CountPoints(kBestTwo, &lab);
  lab.rungs[0].points = Pt(20);
  CountPoints(kBestTwo, &lab);
  EXPECT_EQ(lab.points, Pt(40));
  EXPECT_EQ(FindIn(lab, "v1")->counts, Counts::kYes);
  EXPECT_EQ(FindIn(lab, "v3")->counts, Counts::kNo);
  CountPoints({}, &lab);
  EXPECT_EQ(lab.points, Pt(55)) << "the group is gone";
  EXPECT_THAT(NamesOf(lab), ElementsAre("v1", "v2", "v3"));
}

TEST(CountingTest, WhatDoesNotCountStandsBeforeLatenessWhichIsOfWhatCounts) {
  LabScore lab = LabWith({RungWith("v1", 10), RungWith("v2", 20), RungWith("v3", 15), RungWith("late", -4, 0)});
  CountPoints(kBestTwo, &lab);
  EXPECT_THAT(NamesOf(lab), ElementsAre("v1", "v2", "v3", "not_counted", "late"));
  ExpectSums(lab);
}

TEST(CountingTest, APlatformThatAddsUpRungsGetsOnlyWhatCounts) {
  LabScore lab = LabWith({RungWith("v1", 10), RungWith("v2", 20), RungWith("v3", 15), RungWith("v4", 3, 5)});
  CountPoints({{"v4"}, kBestTwo.best_of}, &lab);
  GradingReport report;
  report.submissions = {ScoreSubmission("s1", {lab})};
  const LabScore counted = OnlyCounted(report).submissions[0].labs[0];
  EXPECT_THAT(NamesOf(counted), ElementsAre("v1", "v2", "v3", "v4"));
  EXPECT_EQ(counted.rungs[0].points, Points());
  EXPECT_THAT(counted.rungs[0].measurement.messages, ElementsAre(HasSubstr("10/20 points are not counted")));
  EXPECT_EQ(counted.rungs[3].points, Pt(3));
  EXPECT_EQ(counted.rungs[3].max_points, Points());
  EXPECT_THAT(counted.rungs[3].measurement.messages, ElementsAre(HasSubstr("a bonus of up to 5 points")));
  ExpectSums(counted);
}

// ---- what students see --------------------------------------------------------------------------------------------

struct Seen {
  LabScore lab;
  std::vector<std::string> messages;
};

Seen StudentsSee(const LabScore& lab, const config::CountingRule& rule,
                 const std::map<std::string, Visibility>& visibilities, int64_t now) {
  GradingReport report;
  report.submissions = {ScoreSubmission("s1", {lab})};
  LabVisibility& rules = report.visibility["lab1"];
  rules.counting = rule;
  rules.dates = {1000, 2000};
  for (const RungScore& rung : lab.rungs) {
    const auto its_own = visibilities.find(rung.rung);
    if (!IsBesideRungs(rung)) {
      rules.rungs[rung.rung].rung = its_own == visibilities.end() ? Visibility::kVisible : its_own->second;
    }
  }
  const SubmissionScore seen = ReportFor(Reader::kStudents, now, report).submissions[0];
  EXPECT_EQ(seen.points, seen.labs[0].points);
  EXPECT_EQ(seen.max_points, seen.labs[0].max_points);
  return {seen.labs[0], seen.messages};
}

TEST(CountingTest, ABonusThatIsNotShownYetDoesNotShowInTheSums) {
  const config::CountingRule rule = {{"v2"}, {}};
  for (const int points : {0, 5}) {
    LabScore lab = LabWith({RungWith("v1", 15), RungWith("v2", points, 5)});
    CountPoints(rule, &lab);
    const Seen before = StudentsSee(lab, rule, {{"v2", Visibility::kAfterDue}}, 500);
    EXPECT_EQ(before.lab.points, Pt(15));
    EXPECT_EQ(before.lab.max_points, Pt(20));
    EXPECT_EQ(before.lab.whole_max, Pt(20));
    EXPECT_THAT(NamesOf(before.lab), ElementsAre("v1"));
    const Seen after = StudentsSee(lab, rule, {{"v2", Visibility::kAfterDue}}, 1500);
    EXPECT_EQ(after.lab.points, Pt(15 + points));
    EXPECT_EQ(after.lab.max_points, Pt(20));
    EXPECT_THAT(NamesOf(after.lab), ElementsAre("v1", "v2", "not_counted"));
    ExpectSums(after.lab);
  }
}

TEST(CountingTest, ABonusThatIsNeverShownIsOnlyInTheMark) {
  const config::CountingRule rule = {{"v2"}, {}};
  LabScore lab = LabWith({RungWith("v1", 15), RungWith("v2", 3, 5)});
  CountPoints(rule, &lab);
  const Seen before = StudentsSee(lab, rule, {{"v2", Visibility::kHidden}}, 500);
  EXPECT_THAT(NamesOf(before.lab), ElementsAre("v1"));
  EXPECT_EQ(before.lab.points, Pt(15));
  EXPECT_EQ(before.lab.max_points, Pt(20));
  const Seen published = StudentsSee(lab, rule, {{"v2", Visibility::kHidden}}, 2500);
  EXPECT_THAT(NamesOf(published.lab), ElementsAre("v1", "not_shown"));
  EXPECT_EQ(published.lab.points, Pt(18));
  EXPECT_EQ(published.lab.max_points, Pt(20));
  ExpectSums(published.lab);
  for (const RungScore& rung : published.lab.rungs) {
    for (const std::string& message : rung.measurement.messages) EXPECT_THAT(message, Not(HasSubstr("v2")));
  }
}

TEST(CountingTest, AGroupThatIsNotShownYetTellsNothing) {
  LabScore lab = LabWith({RungWith("v0", 7), RungWith("v1", 10), RungWith("v2", 20), RungWith("v3", 15)});
  CountPoints(kBestTwo, &lab);
  const Visibility later = Visibility::kAfterDue;
  const Seen seen = StudentsSee(lab, kBestTwo, {{"v1", later}, {"v2", later}, {"v3", later}}, 500);
  EXPECT_THAT(NamesOf(seen.lab), ElementsAre("v0"));
  EXPECT_EQ(seen.lab.points, Pt(7));
  EXPECT_EQ(seen.lab.max_points, Pt(20));
  EXPECT_EQ(seen.lab.whole_max, Pt(60));
}

TEST(CountingTest, AGroupIsCountedAlsoWhereAnotherRungIsNotShownYet) {
  LabScore lab = LabWith({RungWith("v0", 7), RungWith("v1", 10), RungWith("v2", 20), RungWith("v3", 15)});
  CountPoints(kBestTwo, &lab);
  const Seen seen = StudentsSee(lab, kBestTwo, {{"v0", Visibility::kAfterDue}}, 500);
  EXPECT_THAT(NamesOf(seen.lab), ElementsAre("v1", "v2", "v3", "not_counted"));
  EXPECT_EQ(seen.lab.points, Pt(35));
  EXPECT_EQ(seen.lab.max_points, Pt(40));
  ExpectSums(seen.lab);
}

// ---- labs at random -----------------------------------------------------------------------------------------------

// The most points that as many rungs as count can give, by trying all choices.
Points BestByTrying(const std::vector<Points>& points, size_t best) {
  Points most;
  for (uint32_t chosen = 0; chosen < 1U << points.size(); ++chosen) {
    Points sum;
    size_t count = 0;
    for (size_t i = 0; i < points.size(); ++i) {
      if ((chosen >> i & 1U) == 0) continue;
      sum += points[i];
      ++count;
    }
    if (count <= best) most = std::max(most, sum);
  }
  return most;
}

TEST(CountingTest, GivesTheBestChoiceAndTheTotalOfTheCourseInRandomLabs) {
  std::mt19937 random(27);
  const auto below = [&random](int64_t limit) { return static_cast<int64_t>(random() % static_cast<uint64_t>(limit)); };
  for (int round = 0; round < 2000; ++round) {
    config::Lab lab;
    lab.name = "lab1";
    LabScore score;
    score.lab = "lab1";
    Points wanted;
    const auto add = [&](const std::string& name, Points most) {
      config::Rung rung;
      rung.name = name;
      rung.correctness = most;
      lab.rungs.push_back(rung);
      RungScore scored;
      scored.rung = name;
      scored.max_points = most;
      scored.points = Points::FromHundredths(below(most.hundredths() + 1));
      scored.measurable_points = scored.points + Points::FromHundredths(below((most - scored.points).hundredths() + 1));
      AddRung(scored, &score);
      return scored.points;
    };
    wanted += add("plain", Points::FromHundredths(1 + below(3000)));
    if (below(2) == 0) {
      lab.counting.bonus = {"extra"};
      wanted += add("extra", Points::FromHundredths(1 + below(3000)));
    }
    for (int64_t group = below(3); group > 0; --group) {
      const int64_t size = 2 + below(4);
      const Points most = Points::FromHundredths(1 + below(3000));
      config::BestOf of = {static_cast<size_t>(1 + below(size - 1)), {}};
      std::vector<Points> points;
      for (int64_t i = 0; i < size; ++i) {
        of.of.push_back("g" + std::to_string(group) + "_" + std::to_string(i));
        points.push_back(add(of.of.back(), most));
      }
      wanted += BestByTrying(points, of.best);
      lab.counting.best_of.push_back(of);
    }
    CountPoints(lab.counting, &score);
    EXPECT_EQ(score.points, wanted) << "round " << round;
    EXPECT_EQ(score.max_points, lab.Total()) << "round " << round;
    EXPECT_GE(score.measurable_points, Points());
    ExpectSums(score);
    GradingReport report;
    report.submissions = {ScoreSubmission("s1", {score})};
    ExpectSums(OnlyCounted(report).submissions[0].labs[0]);
    if (HasFailure()) return;
  }
}

}  // namespace
}  // namespace warpgrade::score
