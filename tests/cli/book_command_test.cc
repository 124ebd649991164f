// `warpgrade book`, `export` and `leaderboard` on a gradebook that the test makes, so nothing is compiled.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>

#include "grader/report/formats.h"
#include "grader/report/json_reader.h"
#include "tests/cli/graded_book.h"

namespace warpgrade {
namespace {

using testing::HasSubstr;
using testing::Not;

class BookCommandTest : public GradedBookTest {};

TEST_F(BookCommandTest, AStudentWhoHandedNothingInHasNoMark) {
  EXPECT_THAT(Run({"book", "list"}).out, testing::ContainsRegex("s2 +Bob +B +-\n"));
  EXPECT_THAT(Run({"book", "show"}, {"s2"}).out, HasSubstr("\n\ns2\n\n  nothing handed in\n"));
}

TEST_F(BookCommandTest, EachCommandHasExamples) {
  for (const char* command : {"list", "show", "history", "diff", "override", "regrade", "appeal"}) {
    const ProgramResult help = RunProgram({WARPGRADE_BINARY, "book", command, "--help"});
    EXPECT_EQ(help.exit_code, 0) << command;
    EXPECT_THAT(help.out, HasSubstr(std::string("Examples:\n  warpgrade book ") + command)) << command;
  }
}

TEST_F(BookCommandTest, ListShowsEveryStudentAndNoEscapeCodes) {
  const ProgramResult result = Run({"book", "list"});
  EXPECT_EQ(result.exit_code, 0) << result.err;
  EXPECT_THAT(result.out, HasSubstr("s1                  Ada \\x1b[31mLovelace"));
  EXPECT_THAT(result.out, HasSubstr("lab2: 2"));
  EXPECT_THAT(result.out, HasSubstr("=cmd|' /C calc'!A0"));
  EXPECT_THAT(result.out, HasSubstr("s2"));
}

TEST_F(BookCommandTest, ShowSaysWhichAttemptCountsAndWhy) {
  const ProgramResult result = Run({"book", "show"}, {"s1"});
  EXPECT_EQ(result.exit_code, 0) << result.err;
  EXPECT_THAT(result.out, HasSubstr("s1 · Ada \\x1b[31mLovelace · ada@example.org · section A · extension 2\n"
                                    "lab2: attempt 2 of 2, handed in 2026-11-23T10:15:00Z (file time), graded "));
  EXPECT_THAT(result.out, HasSubstr("lab2 Transpose · s1 · emulator"));
  EXPECT_EQ(Run({"book", "show"}, {"s2"}).exit_code, 0);
}

TEST_F(BookCommandTest, HistoryShowsEveryAttempt) {
  const ProgramResult result = Run({"book", "history"}, {"s1"});
  EXPECT_EQ(result.exit_code, 0) << result.err;
  EXPECT_THAT(result.out, HasSubstr("lab2  1        2026-11-22T10:15:00Z (file time)  a file"));
  EXPECT_THAT(result.out, HasSubstr("lab2  2        2026-11-23T10:15:00Z (file time)  a file"));
  EXPECT_THAT(result.out, HasSubstr("batch, warpgrade 0.1.0, emulator"));
  EXPECT_THAT(Run({"book", "history"}, {"s2"}).out, HasSubstr("s2 has handed nothing in"));
}

TEST_F(BookCommandTest, DiffShowsPointsAndSources) {
  const ProgramResult result = Run({"book", "diff"}, {"s1", "1", "2"});
  EXPECT_EQ(result.exit_code, 0) << result.err;
  EXPECT_THAT(result.out, HasSubstr("attempt 1"));
  EXPECT_THAT(result.out, HasSubstr("the same"));
  EXPECT_THAT(result.out, HasSubstr("lab2/v1_naive.cu\n@@ -1,1 +1,1 @@\n-first\n+second\n"));
  const ProgramResult none = Run({"book", "diff"}, {"s1", "1", "7"});
  EXPECT_EQ(none.exit_code, 2);
  EXPECT_THAT(none.err, HasSubstr("s1 has no attempt 7 for lab2; the attempts are numbered from 1 to 2"));
}

TEST_F(BookCommandTest, AFormatOfOneStudentAsksForTheStudent) {
  const ProgramResult result = Run({"export"}, {"--format", "gradescope"});
  EXPECT_EQ(result.exit_code, 2);
  EXPECT_THAT(result.err, HasSubstr("the format gradescope is about one student, and "));
  EXPECT_THAT(result.err, HasSubstr("name one: --student ID"));
}

TEST_F(BookCommandTest, AnAppealHasEverythingAboutOneAttempt) {
  const std::string folder = folder_.Path("appeal");
  const ProgramResult result = Run({"book", "appeal"}, {"s1", "--output", folder});
  EXPECT_EQ(result.exit_code, 0) << result.err;
  EXPECT_EQ(ReadText(folder + "/submission/lab2/v1_naive.cu"), "second\n");
  EXPECT_THAT(ReadText(folder + "/README.txt"), HasSubstr("attempt     2, 2026-11-23T10:15:00Z (file time)"));
  EXPECT_THAT(ReadText(folder + "/history.txt"), HasSubstr("lab2  1 "));
  EXPECT_THAT(ReadText(folder + "/result.txt"), HasSubstr("v1_naive"));
  EXPECT_TRUE(report::ReadJson(folder + "/result.json").ok());
  EXPECT_THAT(ReadText(folder + "/rerun.sh"),
              HasSubstr("grade submission --lab lab2 --student 's1' --device emulator"));
  EXPECT_THAT(Run({"book", "appeal"}, {"s1", "--output", folder}).err, HasSubstr("this folder is not empty"));
  const ProgramResult first = Run({"book", "appeal"}, {"s1", "--attempt", "1", "--output", folder_.Path("first")});
  EXPECT_EQ(first.exit_code, 0) << first.err;
  EXPECT_EQ(ReadText(folder_.Path("first/submission/lab2/v1_naive.cu")), "first\n");
  const auto error_of = [this](std::vector<std::string> arguments) {
    arguments.insert(arguments.end(), {"--output", folder_.Path("none")});
    const ProgramResult failed = Run({"book", "appeal"}, arguments);
    EXPECT_EQ(failed.exit_code, 2);
    return failed.err;
  };
  EXPECT_THAT(error_of({"s1", "--attempt", "9"}), HasSubstr("s1 has no attempt 9 for lab2; the attempts are numbered"));
  EXPECT_THAT(error_of({"s1", "--lab", "lab3"}),
              HasSubstr("s1 has handed nothing in for lab3; `warpgrade book history`"));
}

TEST_F(BookCommandTest, AnAppealShowsLateDaysOverridesAndTheNameOfTheLab) {
  std::string text = ReadText(std::string(WARPGRADE_SOURCE_DIR) + "/course.yaml");
  const std::string lab = "\n  lab2:\n";
  ASSERT_NE(text.find(lab), std::string::npos);
  text.insert(text.find(lab) + lab.size(), "    due: 2026-11-20\n    hand_in: {late_per_day: 10%}\n");
  const std::string course = folder_.Write("course.yaml", text);
  ASSERT_EQ(Run({"book", "override"}, {"s1", "--lab", "lab2", "--points", "+1", "--reason", "why"}).exit_code, 0);
  const auto appeal = [&](const std::string& attempt, const std::string& folder) {
    const ProgramResult result =
        Run({"book", "appeal"}, {"s1", "--attempt", attempt, "--course", course, "--output", folder});
    EXPECT_EQ(result.exit_code, 0) << result.err;
  };
  appeal("2", folder_.Path("second"));
  const std::string table = ReadText(folder_.Path("second/result.txt"));
  EXPECT_THAT(table, HasSubstr("lab2 Transpose · s1 · emulator"));
  EXPECT_THAT(table, HasSubstr("handed in 1 day late: at 2026-11-23T10:15:00Z, due at 2026-11-22T23:59:59Z"));
  EXPECT_THAT(table, HasSubstr("+1 points: 19 instead of 18, by "));
  const std::string read_me = ReadText(folder_.Path("second/README.txt"));
  EXPECT_THAT(read_me, HasSubstr("points now  19/84\n            1 day late: 2 points lost\n"
                                 "            override: 19 instead of 18\n"));
  EXPECT_THAT(read_me, HasSubstr("(file time), due 2026-11-22T23:59:59Z, 1 day late, graded "));
  appeal("1", folder_.Path("first"));
  EXPECT_THAT(ReadText(folder_.Path("first/result.txt")),
              testing::StartsWith("This is attempt 1. Attempt 2 counts instead.\n\nlab2 Transpose · s1"));
  EXPECT_THAT(ReadText(folder_.Path("first/README.txt")),
              HasSubstr("points now  19/84, of attempt 2, which counts instead of this one\n"));
}

TEST_F(BookCommandTest, AnAppealIntoAMissingFolderIsAnError) {
  const ProgramResult result = Run({"book", "appeal"}, {"s1", "--output", folder_.Path("none/appeal")});
  EXPECT_EQ(result.exit_code, 2);
  EXPECT_THAT(result.err, testing::ContainsRegex("--output .*none/appeal: there is no folder .*none; make it"));
  EXPECT_FALSE(std::filesystem::exists(folder_.Path("none")));
  EXPECT_THAT(Run({"book", "appeal"}, {"s1", "--output", Path()}).err, HasSubstr("this is a file; name a new folder"));
}

TEST_F(BookCommandTest, TheScriptOfAnAppealSaysThatTheProgramIsMissing) {
  const std::string folder = folder_.Path("appeal");
  ASSERT_EQ(Run({"book", "appeal"}, {"s1", "--output", folder}).exit_code, 0);
  const ProgramResult result = RunProgram({folder + "/rerun.sh"}, {"PATH=/usr/bin:/bin"});
  EXPECT_EQ(result.exit_code, 2);
  EXPECT_THAT(result.err, HasSubstr("rerun.sh: there is no program warpgrade; say where it is: WARPGRADE=/path/to"));
}

TEST_F(BookCommandTest, TheGradebookRemembersItsCourse) {
  std::string text = ReadText(std::string(WARPGRADE_SOURCE_DIR) + "/course.yaml");
  const std::string lab = "\n  lab2:\n";
  text.insert(text.find(lab) + lab.size(), "    due: 2020-01-01\n    hand_in: {most_days_late: 1}\n");
  const std::string course = folder_.Write("own/course.yaml", text);
  EXPECT_THAT(Run({"book", "list"}).out, HasSubstr("20/84"));
  EXPECT_EQ(Run({"book", "list"}).err, "");
  ASSERT_TRUE(book_->PutCourseYaml(course).ok());
  const ProgramResult remembered = Run({"book", "list"});
  EXPECT_THAT(remembered.out, testing::ContainsRegex("s1 .* 0/84 "));
  EXPECT_THAT(remembered.err, HasSubstr("marks.db goes by " + course + "; --course FILE takes other rules\n"));
  EXPECT_EQ(std::count(remembered.err.begin(), remembered.err.end(), '\n'), 1);
  for (const std::vector<std::string>& command :
       {std::vector<std::string>{"book", "show"}, {"book", "override"}, {"book", "appeal"}, {"export"}}) {
    std::vector<std::string> arguments = {"s1"};
    if (command.back() == "override") {
      arguments.insert(arguments.end(), {"--lab", "lab2", "--points", "+0", "--reason", "why"});
    }
    if (command.back() == "appeal") arguments.insert(arguments.end(), {"--output", folder_.Path("appeal")});
    if (command.back() == "export") arguments = {"--format", "csv"};
    const ProgramResult result = Run(command, arguments);
    EXPECT_EQ(result.exit_code, 0) << command.back() << ": " << result.err;
    EXPECT_EQ(std::count(result.err.begin(), result.err.end(), '\n'), 1) << command.back() << ": " << result.err;
  }
  const ProgramResult typed = Run({"book", "list"}, {"--course", std::string(WARPGRADE_SOURCE_DIR) + "/course.yaml"});
  EXPECT_THAT(typed.out, HasSubstr("20/84"));
  EXPECT_EQ(typed.err, "");
  std::filesystem::remove(course);
  const ProgramResult gone = Run({"book", "list"});
  EXPECT_EQ(gone.exit_code, 2);
  EXPECT_THAT(gone.err, HasSubstr("its course.yaml was " + course + ", which is no longer there; say where it is now"));
}

TEST_F(BookCommandTest, NbgraderGetsThePointsBeforeTheDeductionAndDates) {
  std::string text = ReadText(std::string(WARPGRADE_SOURCE_DIR) + "/course.yaml");
  const std::string lab = "\n  lab2:\n";
  text.insert(text.find(lab) + lab.size(), "    due: 2026-11-20\n    hand_in: {late_per_day: 10%}\n");
  ASSERT_TRUE(book_->PutCourseYaml(folder_.Write("course.yaml", text)).ok());
  EXPECT_THAT(Run({"export"}, {"--format", "nbgrader", "--student", "s1"}).out,
              HasSubstr("\nlab2,2026-11-20 23:59:59,2026-11-23 10:15:00,s1,"));
  EXPECT_THAT(Run({"export"}, {"--format", "nbgrader", "--student", "s1"}).out, HasSubstr(",20.0,2.0,18.0,84.0\n"));
}

TEST_F(BookCommandTest, ALabThatNobodyHasPointsForIsAColumn) {
  const std::string csv = Run({"export"}, {"--format", "csv", "--lab", "lab3"}).out;
  EXPECT_THAT(csv, testing::StartsWith("submission,lab3,points,max_points,measurable_points,notes\r\n"));
  EXPECT_THAT(Run({"export"}, {"--format", "canvas", "--lab", "lab3"}).out,
              testing::ContainsRegex("Section,lab3\r\n    Points Possible,,,,,[1-9][0-9]+\r\n"));
}

TEST_F(BookCommandTest, ALabOfWhichNoAttemptIsGradedIsAColumn) {
  gradebook::HandIn hand_in;
  hand_in.student = "s2";
  hand_in.lab = "lab4";
  hand_in.files["lab4/v1_naive.cu"] = "x";
  hand_in.handed_in = "2026-11-22T10:15:00Z";
  ASSERT_TRUE(book_->Plan({hand_in}, {"0.1.0", "rules", "emulator", "emulator"}, false, "batch").ok());
  EXPECT_THAT(Run({"export"}, {"--format", "csv"}).out, HasSubstr("lab2,lab4,points,"));
  EXPECT_THAT(Run({"export"}, {"--format", "csv", "--student", "s1"}).out, HasSubstr("lab2,points,"));
}

TEST_F(BookCommandTest, TheNameOfAStudentIsNoCommandInTheScriptOfAnAppeal) {
  const std::string folder = folder_.Path("appeal");
  ASSERT_EQ(Run({"book", "appeal"}, {"=cmd|' /C calc'!A0", "--output", folder}).exit_code, 0);
  const ProgramResult shown = RunProgram({folder + "/rerun.sh"}, {"WARPGRADE=/bin/echo"});
  EXPECT_THAT(shown.out, HasSubstr("--student =cmd|' /C calc'!A0 --device"));
}

TEST_F(BookCommandTest, EveryFormatIsWrittenAndNamesStayData) {
  for (const report::Format& format : report::Formats()) {
    const std::string name = format.flag.substr(2), file = folder_.Path("out");
    std::vector<std::string> arguments = {"--format", name, "--output", file};
    if (format.one_submission) arguments.insert(arguments.end(), {"--student", "s1"});
    const ProgramResult result = Run({"export"}, arguments);
    EXPECT_EQ(result.exit_code, 0) << name << ": " << result.err;
    EXPECT_TRUE(std::filesystem::exists(file)) << name;
    std::filesystem::remove(file);
  }
  EXPECT_THAT(Run({"export"}, {"--format", "csv"}).out, HasSubstr("\n'=cmd|' /C calc'!A0,"));
  EXPECT_THAT(Run({"export"}, {"--format", "cvs"}).err, HasSubstr("there is no format 'cvs'"));
}

TEST_F(BookCommandTest, CanvasGetsWhatTheRosterSays) {
  ASSERT_TRUE(book_->PutRoster({{"s1", "Lovelace, Ada", "ada@example.org", "A", "", true, "77", "ada"}}).ok());
  const ProgramResult result = Run({"export"}, {"--format", "canvas", "--canvas-assignment", "lab2=4711"});
  EXPECT_EQ(result.exit_code, 0) << result.err;
  EXPECT_THAT(result.out, HasSubstr("Section,lab2 (4711)"));
  EXPECT_THAT(result.out, HasSubstr("\"Lovelace, Ada\",77,s1,ada,A,"));
}

TEST_F(BookCommandTest, TheJsonHasEverythingThatWasMeasured) {
  const ProgramResult result = Run({"export"}, {"--format", "json", "--student", "s1"});
  const Result<score::GradingReport> report = report::ParseReport(result.out, "out");
  ASSERT_TRUE(report.ok()) << report.error().message;
  ASSERT_EQ(report->submissions.size(), 1u);
  EXPECT_FALSE(report->submissions[0].labs.at(0).rungs.at(3).measurement.findings.empty());
}

TEST_F(BookCommandTest, ALabWithoutAContestHasNoLeaderboardAndSaysSo) {
  const ProgramResult result = Run({"leaderboard"}, {"--lab", "lab2"});
  EXPECT_EQ(result.exit_code, 2);
  EXPECT_THAT(result.err, HasSubstr("there is no contest: lab2"));
}

TEST_F(BookCommandTest, TheLeaderboardRanksAndItsPseudonymsStay) {
  score::LabScore scan;
  scan.lab = "lab5";
  for (const char* rung :
       {"v1_hillis_steele", "v2_blelloch", "v3_conflict_free", "v4_shuffle", "v5_three_phase", "v6_single_pass"}) {
    scan.rungs.push_back(report::RightRung(rung));
  }
  HandIn("s2", "scan\n", "2026-11-22T10:15:00Z", Summed(scan));
  const ProgramResult board = Run({"leaderboard"}, {"--lab", "lab5"});
  EXPECT_EQ(board.exit_code, 0) << board.err;
  EXPECT_THAT(board.out, HasSubstr("lab5 Scan · leaderboard"));
  EXPECT_THAT(board.out, HasSubstr("s2"));
  const ProgramResult hidden = Run({"leaderboard"}, {"--lab", "lab5", "--hide-names"});
  EXPECT_EQ(hidden.exit_code, 0) << hidden.err;
  EXPECT_THAT(hidden.out, HasSubstr("lab5 Scan · leaderboard"));
  EXPECT_THAT(hidden.out, Not(HasSubstr("s2")));
  EXPECT_EQ(Run({"leaderboard"}, {"--lab", "lab5", "--hide-names"}).out, hidden.out);
}

TEST_F(BookCommandTest, AFileThatIsNoGradebookIsNamed) {
  const std::string csv = folder_.Write("marks.csv", "submission,points\n");
  const ProgramResult result = RunProgram({WARPGRADE_BINARY, "book", "list", csv});
  EXPECT_EQ(result.exit_code, 2);
  EXPECT_THAT(result.err, HasSubstr("marks.csv: this is not a gradebook"));
  EXPECT_EQ(RunProgram({WARPGRADE_BINARY, "book", "list", folder_.Path("none.db")}).exit_code, 2);
  const ProgramResult folder = RunProgram({WARPGRADE_BINARY, "book", "list", folder_.Path("")});
  EXPECT_EQ(folder.exit_code, 2);
  EXPECT_THAT(folder.err, HasSubstr("this is a folder; name the file of a gradebook"));
}

}  // namespace
}  // namespace warpgrade
