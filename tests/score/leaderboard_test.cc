#include "grader/score/leaderboard.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <set>

namespace warpgrade::score {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

config::Lab Contest() {
  config::Lab lab;
  lab.name = "lab5";
  lab.title = "Scan";
  for (const char* name : {"v1_slow", "v2_fast"}) {
    config::Rung rung;
    rung.name = name;
    lab.rungs.push_back(rung);
  }
  lab.leaderboard = config::LeaderboardRule{20, {"v1_slow", "v2_fast"}};
  return lab;
}

RungScore Right(const std::string& name, std::optional<double> seconds = std::nullopt) {
  RungScore rung;
  rung.rung = name;
  rung.measurement.cases = rung.measurement.cases_passed = 40;
  rung.measurement.throughput.seconds = seconds;
  if (seconds) rung.measurement.throughput.status = ThroughputMeasurement::Status::kMeasured;
  return rung;
}

RungScore Flagged(const std::string& name, double seconds) {
  RungScore rung = Right(name, seconds);
  rung.measurement.throughput.status = ThroughputMeasurement::Status::kFlagged;
  return rung;
}

RungScore Wrong(const std::string& name, int wrong_answers) {
  RungScore rung = Right(name);
  rung.measurement.status = RungStatus::kFailed;
  rung.measurement.cases_passed -= wrong_answers;
  return rung;
}

RungScore Ended(const std::string& name, RungStatus status) {
  RungScore rung;
  rung.rung = name;
  rung.measurement.status = status;
  return rung;
}

SubmissionScore Of(const std::string& id, std::vector<RungScore> rungs) {
  SubmissionScore submission;
  submission.id = id;
  submission.labs.emplace_back();
  submission.labs[0].lab = "lab5";
  submission.labs[0].rungs = std::move(rungs);
  return submission;
}

SubmissionScore WithoutTheLab(const std::string& id) {
  SubmissionScore submission;
  submission.id = id;
  return submission;
}

// "1 ann 0.0007", "- bob: nothing handed in", a line for each entry.
std::vector<std::string> Lines(const Leaderboard& leaderboard) {
  std::vector<std::string> lines;
  for (const LeaderboardEntry& entry : leaderboard.entries) {
    std::string line = (entry.rank ? std::to_string(*entry.rank) : "-") + " " + entry.shown_as;
    if (entry.score_s) line += " " + std::to_string(*entry.score_s);
    if (!entry.note.empty()) line += ": " + entry.note;
    lines.push_back(line);
  }
  return lines;
}

std::vector<std::string> Timed(const std::vector<SubmissionScore>& submissions) {
  return Lines(MakeLeaderboard(Contest(), submissions, true));
}

TEST(LeaderboardTest, TheFastestRungsTimeDecides) {
  const Leaderboard board = MakeLeaderboard(Contest(),
                                            {Of("ann", {Right("v1_slow", 0.0023), Right("v2_fast", 0.0007)}),
                                             Of("bob", {Right("v1_slow", 0.0006), Right("v2_fast", 0.0009)})},
                                            true);
  EXPECT_THAT(Lines(board), ElementsAre("1 bob 0.000600", "2 ann 0.000700"));
  EXPECT_EQ(board.entries[0].rung, "v1_slow");
  EXPECT_EQ(board.entries[1].rung, "v2_fast");
  EXPECT_EQ(board.entries[1].time_s, 0.0007);
  EXPECT_EQ(board.wrong_answer_s, 20);
  EXPECT_EQ(board.title, "Scan");
}

TEST(LeaderboardTest, EachWrongAnswerAddsTwentySecondsInWhicheverRungItWas) {
  const Leaderboard board = MakeLeaderboard(Contest(),
                                            {Of("ann", {Wrong("v1_slow", 3), Right("v2_fast", 0.0007)}),
                                             Of("bob", {Right("v1_slow", 50), Right("v2_fast", 51)})},
                                            true);
  EXPECT_THAT(Lines(board), ElementsAre("1 bob 50.000000", "2 ann 60.000700"));
  EXPECT_EQ(board.entries[1].wrong_answers, 3);
}

TEST(LeaderboardTest, ARungThatGivesNoAnswerIsOneWrongAnswer) {
  for (const RungStatus status : {RungStatus::kCompileError, RungStatus::kRefused, RungStatus::kCrashed}) {
    EXPECT_THAT(Timed({Of("ann", {Ended("v1_slow", status), Right("v2_fast", 0.5)})}), ElementsAre("1 ann 20.500000"))
        << Name(status);
  }
}

// The values were right, but the emulator saw a race: all cases passed, and the rung failed.
TEST(LeaderboardTest, AFaultIsOneWrongAnswerThoughAllCasesPassed) {
  EXPECT_THAT(Timed({Of("ann", {Wrong("v1_slow", 0), Right("v2_fast", 0.5)})}), ElementsAre("1 ann 20.500000"));
}

TEST(LeaderboardTest, WhatIsNotHandedInIsNotWrong) {
  for (const RungStatus status : {RungStatus::kMissing, RungStatus::kNotWritten}) {
    EXPECT_THAT(Timed({Of("ann", {Ended("v1_slow", status), Right("v2_fast", 0.5)})}), ElementsAre("1 ann 0.500000"));
  }
}

TEST(LeaderboardTest, EqualScoresShareTheirRankAndTheNextIsLeftOut) {
  const auto both = [](double seconds) {
    return std::vector<RungScore>{Right("v1_slow", 1), Right("v2_fast", seconds)};
  };
  // ann and bob differ by less than what is printed.
  EXPECT_THAT(
      Timed({Of("dan", both(0.003)), Of("bob", both(0.0010001)), Of("ann", both(0.0010003)), Of("cat", both(0.002))}),
      ElementsAre("1 ann 0.001000", "1 bob 0.001000", "3 cat 0.002000", "4 dan 0.003000"));
}

TEST(LeaderboardTest, AFlaggedTimeNeverRanks) {
  EXPECT_THAT(Timed({Of("ann", {Ended("v1_slow", RungStatus::kMissing), Flagged("v2_fast", 1e-9)}),
                     Of("bob", {Right("v1_slow", 0.9), Flagged("v2_fast", 1e-9)})}),
              ElementsAre("1 bob 0.900000", "- ann: the time of v2_fast is flagged"));
}

TEST(LeaderboardTest, ATimeThatIsNoTimeNeverRanks) {
  for (const double seconds : {std::nan(""), 0.0, -1.0, std::numeric_limits<double>::infinity()}) {
    EXPECT_THAT(Timed({Of("ann", {Ended("v1_slow", RungStatus::kMissing), Right("v2_fast", seconds)})}),
                ElementsAre("- ann: not timed"));
  }
}

TEST(LeaderboardTest, WhoHasNoTimeComesLastAndIsToldWhy) {
  EXPECT_THAT(
      Timed({Of("ann", {Ended("v1_slow", RungStatus::kMissing), Ended("v2_fast", RungStatus::kNotWritten)}),
             Of("bob", {Wrong("v1_slow", 40), Wrong("v2_fast", 2)}), Of("cat", {Right("v1_slow"), Right("v2_fast")}),
             Of("dan", {Right("v1_slow", 1)}), Of("eve", {Right("v1_slow", 1), Right("v2_fast", 2)}),
             WithoutTheLab("fay")}),
      ElementsAre("1 eve 1.000000", "- ann: nothing handed in", "- bob: no rung is right yet", "- cat: not timed",
                  "- dan 1.000000: not all rungs were graded", "- fay: not all rungs were graded"));
}

TEST(LeaderboardTest, WithoutAClockTheFewestWrongAnswersAreFirst) {
  const Leaderboard board = MakeLeaderboard(
      Contest(),
      {Of("ann", {Wrong("v1_slow", 1), Right("v2_fast")}), Of("bob", {Right("v1_slow"), Right("v2_fast")}),
       Of("cat", {Ended("v1_slow", RungStatus::kMissing), Right("v2_fast")}),
       Of("dan", {Ended("v1_slow", RungStatus::kMissing), Wrong("v2_fast", 1)}),
       Of("eve", {Ended("v1_slow", RungStatus::kMissing), Ended("v2_fast", RungStatus::kMissing)})},
      false);
  EXPECT_FALSE(board.timed);
  EXPECT_THAT(Lines(board),
              ElementsAre("1 bob", "1 cat", "3 ann", "- dan: no rung is right yet", "- eve: nothing handed in"));
}

TEST(LeaderboardTest, OnlyTheContestsRungsCount) {
  config::Lab lab = Contest();
  lab.leaderboard->rungs = {"v2_fast"};
  EXPECT_THAT(Lines(MakeLeaderboard(lab, {Of("ann", {Wrong("v1_slow", 9), Right("v2_fast", 0.5)})}, true)),
              ElementsAre("1 ann 0.500000"));
}

std::vector<Leaderboard> TwoBoards() {
  std::vector<SubmissionScore> submissions;
  for (const char* id : {"ann", "bob", "cat", "dan", "eve", "fay", "gus", "hal", "ida", "jon"}) {
    submissions.push_back(Of(id, {Right("v1_slow"), Right("v2_fast")}));
  }
  const Leaderboard board = MakeLeaderboard(Contest(), submissions, true);
  return {board, board};
}

TEST(LeaderboardTest, HiddenNamesAreTheSameInAllLeaderboardsAndAnotherForEach) {
  std::vector<Leaderboard> boards = TwoBoards();
  HideNames(7, &boards);
  std::set<std::string> shown;
  for (size_t i = 0; i < boards[0].entries.size(); ++i) {
    const LeaderboardEntry& entry = boards[0].entries[i];
    EXPECT_EQ(entry.shown_as, boards[1].entries[i].shown_as);
    EXPECT_EQ(entry.id, boards[1].entries[i].id);
    EXPECT_THAT(entry.shown_as, HasSubstr("player "));
    shown.insert(entry.shown_as);
  }
  EXPECT_EQ(shown.size(), 10u);
  EXPECT_EQ(*shown.begin(), "player 01");
}

TEST(LeaderboardTest, TheOrderOfHiddenNamesDoesNotTellWhoseTheyAre) {
  std::vector<Leaderboard> boards = TwoBoards();
  HideNames(7, &boards);
  const auto by = [](auto member) {
    return [member](const LeaderboardEntry& a, const LeaderboardEntry& b) { return a.*member < b.*member; };
  };
  const std::vector<LeaderboardEntry>& entries = boards[0].entries;
  EXPECT_TRUE(std::is_sorted(entries.begin(), entries.end(), by(&LeaderboardEntry::shown_as)));
  EXPECT_FALSE(std::is_sorted(entries.begin(), entries.end(), by(&LeaderboardEntry::id)));
}

TEST(LeaderboardTest, KeepsTheNamesThatWereShownBefore) {
  std::vector<Leaderboard> before = TwoBoards(), after = TwoBoards();
  HideNames(7, &before);
  KeepNames(before, &after);
  EXPECT_EQ(Lines(after[0]), Lines(before[0]));
}

}  // namespace
}  // namespace warpgrade::score
