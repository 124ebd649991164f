#include "grader/report/leaderboard.h"

#include <gtest/gtest.h>

#include "grader/report/table.h"
#include "tests/report/golden.h"
#include "tests/report/sample_report.h"

namespace warpgrade::report {
namespace {

score::LeaderboardEntry Ranked(const std::string& id, int rank, double score_s, double time_s) {
  score::LeaderboardEntry entry;
  entry.id = entry.shown_as = id;
  entry.rank = rank;
  entry.score_s = score_s;
  entry.time_s = time_s;
  entry.rung = "v6_look_back";
  return entry;
}

score::LeaderboardEntry Unranked(const std::string& id, const std::string& note) {
  score::LeaderboardEntry entry;
  entry.id = entry.shown_as = id;
  entry.note = note;
  return entry;
}

score::Leaderboard Timed() {
  score::Leaderboard board{"lab5", "Scan", 20, true, {}};
  board.entries = {Ranked("s1042", 1, 0.000687, 0.000687), Ranked("s1043", 1, 0.000687, 0.000687),
                   Ranked("s1044", 3, 60.0021, 0.0021), Unranked("s1045", "the time of v6_look_back is flagged")};
  board.entries[2].wrong_answers = 3;
  return board;
}

score::Leaderboard Untimed() {
  score::Leaderboard board{"lab5", "Scan", 20, false, {Unranked("s1042", ""), Unranked("s1043", "nothing handed in")}};
  board.entries[0].rank = 1;
  return board;
}

TEST(LeaderboardTableTest, ARowForEachByRank) { ExpectGolden("leaderboard.txt", LeaderboardTable(Timed(), {})); }

TEST(LeaderboardTableTest, SaysWhereNothingWasTimedAndLeavesEmptyColumnsOut) {
  EXPECT_EQ(LeaderboardTable(Untimed(), {}),
            "lab5 Scan · leaderboard (time is not measured here, so the fewest wrong answers are first)\n\n  rank  "
            "name   wrong answers\n     1  s1042              0\n     -  s1043              0  nothing handed in\n");
}

TEST(LeaderboardTableTest, FollowsTheTableOfAClassAndNotThatOfOneSubmission) {
  score::GradingReport report = GpuReport({Submission("s1042", {GpuLab()})});
  report.leaderboards = {Timed()};
  EXPECT_EQ(Table(report, {}).find("leaderboard"), std::string::npos);
  report.submissions.push_back(Submission("s1043", {GpuLab()}));
  EXPECT_TRUE(Table(report, {}).ends_with("\n\n" + LeaderboardTable(Timed(), {})));
}

TEST(LeaderboardTableTest, AStudentsNameCannotActOnTheTerminal) {
  score::Leaderboard board = Untimed();
  board.entries[0].shown_as = "a\x1b[2Jb";
  EXPECT_NE(LeaderboardTable(board, {}).find("a\\x1b[2Jb"), std::string::npos);
}

TEST(LeaderboardCsvTest, ARowForEachAndWhatIsNotKnownIsEmpty) {
  score::GradingReport report = GpuReport({});
  report.leaderboards = {Timed(), Untimed()};
  EXPECT_EQ(LeaderboardCsvText(report),
            "lab,rank,name,score_seconds,time_seconds,wrong_answers,rung,note\r\n"
            "lab5,1,s1042,0.000687,0.000687,0,v6_look_back,\r\n"
            "lab5,1,s1043,0.000687,0.000687,0,v6_look_back,\r\n"
            "lab5,3,s1044,60.002100,0.002100,3,v6_look_back,\r\n"
            "lab5,,s1045,,,0,,the time of v6_look_back is flagged\r\n"
            "lab5,1,s1042,,,0,,\r\n"
            "lab5,,s1043,,,0,,nothing handed in\r\n");
}

TEST(LeaderboardCsvTest, AFormulaForANameIsDisarmed) {
  score::GradingReport report = GpuReport({});
  report.leaderboards = {Untimed()};
  report.leaderboards[0].entries.resize(1);
  report.leaderboards[0].entries[0].shown_as = "=cmd|' /C calc'!A0";
  EXPECT_EQ(LeaderboardCsvText(report),
            "lab,rank,name,score_seconds,time_seconds,wrong_answers,rung,note\r\n"
            "lab5,1,'=cmd|' /C calc'!A0,,,0,,\r\n");
}

TEST(LeaderboardCsvTest, ShowsThePseudonymAndNotWhoItIs) {
  score::GradingReport report = GpuReport({});
  report.leaderboards = {Timed()};
  for (score::LeaderboardEntry& entry : report.leaderboards[0].entries) entry.shown_as = "player 1";
  for (const std::string& text : {LeaderboardCsvText(report), LeaderboardTable(report.leaderboards[0], {})}) {
    EXPECT_EQ(text.find("s10"), std::string::npos) << text;
    EXPECT_NE(text.find("player 1"), std::string::npos) << text;
  }
}

}  // namespace
}  // namespace warpgrade::report
