// `warpgrade book`, `export` and `leaderboard` on a gradebook that the test makes, so nothing is compiled.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>

#include "grader/gradebook/gradebook.h"
#include "grader/report/formats.h"
#include "grader/report/json_reader.h"
#include "tests/cli/program.h"
#include "tests/report/sample_report.h"

namespace warpgrade {
namespace {

using gradebook::Gradebook;
using testing::HasSubstr;
using testing::Not;

class BookCommandTest : public testing::Test {
 protected:
  void SetUp() override {
    Result<Gradebook> book = Gradebook::Open(Path(), gradebook::Access::kCreate, "0.1.0");
    ASSERT_TRUE(book.ok()) << book.error().message;
    book_ = std::make_unique<Gradebook>(std::move(*book));
    ASSERT_TRUE(book_
                    ->PutRoster({{"s1", "Ada \x1b[31mLovelace", "ada@example.org", "A", "2"},
                                 {"s2", "Bob", "", "B", ""},
                                 {"=cmd|' /C calc'!A0", std::string(300, 'x'), "", "", ""}})
                    .ok());
    HandIn("s1", "first\n", "2026-11-22T10:15:00Z", report::EmulatorLab());
    score::LabScore better = report::EmulatorLab();
    better.rungs[1] = report::RightRung(better.rungs[1].rung);
    HandIn("s1", "second\n", "2026-11-23T10:15:00Z", Summed(better));
    HandIn("=cmd|' /C calc'!A0", "other\n", "2026-11-22T10:15:00Z", report::EmulatorLab());
  }

  static score::LabScore Summed(score::LabScore lab) {
    lab.points = lab.max_points = lab.measurable_points = config::Points();
    for (const score::RungScore& rung : lab.rungs) {
      lab.points += rung.points;
      lab.max_points += rung.max_points;
      lab.measurable_points += rung.measurable_points;
    }
    return lab;
  }

  void HandIn(const std::string& student, const std::string& text, const std::string& when, score::LabScore lab) {
    gradebook::HandIn hand_in;
    hand_in.student = student;
    hand_in.lab = lab.lab;
    hand_in.files[lab.lab + "/v1_naive.cu"] = text;
    hand_in.handed_in = when;
    hand_in.time_from = "file time";
    hand_in.came_from = "a file";
    const gradebook::Conditions conditions = {"0.1.0", "rules", "emulator", "emulator"};
    const auto plan = book_->Plan({hand_in}, conditions, false, "batch");
    ASSERT_TRUE(plan.ok());
    const auto added = book_->AddGrading(
        plan->at(0), conditions, report::EmulatorReport({report::Submission(student, {std::move(lab)})}), "batch", "");
    ASSERT_TRUE(added.ok() && *added);
  }

  std::string Path() const { return folder_.Path("marks.db"); }

  // `warpgrade COMMAND... marks.db ARGUMENTS...`.
  ProgramResult Run(std::vector<std::string> command, const std::vector<std::string>& arguments = {}) const {
    command.insert(command.begin(), WARPGRADE_BINARY);
    command.push_back(Path());
    command.insert(command.end(), arguments.begin(), arguments.end());
    return RunProgram(command);
  }

  const TemporaryFolder folder_;
  std::unique_ptr<Gradebook> book_;
};

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

TEST_F(BookCommandTest, AnOverrideCountsAtOnceAndIsRemembered) {
  const ProgramResult done = Run({"book", "override"}, {"s1", "--lab", "lab2", "--rung", "v1", "--points", "3.5",
                                                        "--reason", "appeal", "--author", "Eve"});
  EXPECT_EQ(done.exit_code, 0) << done.err;
  EXPECT_THAT(done.out, HasSubstr("points for lab2, by Eve"));
  EXPECT_THAT(Run({"book", "show"}, {"s1"}).out, HasSubstr("3.5 points instead of"));
  EXPECT_THAT(Run({"book", "history"}, {"s1"}).out, HasSubstr("lab2.v1_naive: 3.5 points, by Eve: appeal"));
  EXPECT_THAT(Run({"export"}, {"--format", "csv"}).out, HasSubstr("\ns1,3.5,"));
  EXPECT_EQ(
      Run({"book", "override"}, {"s1", "--lab", "lab2", "--rung", "v1", "--withdraw", "--reason", "no"}).exit_code, 0);
  EXPECT_THAT(Run({"export"}, {"--format", "csv"}).out, Not(HasSubstr("\ns1,3.5,")));
}

TEST_F(BookCommandTest, AnOverrideAboveWhatTheLabHasIsPointedOut) {
  const auto said_to = [this](const std::vector<std::string>& more) {
    std::vector<std::string> arguments = {"s1", "--lab", "lab2", "--reason", "why"};
    arguments.insert(arguments.end(), more.begin(), more.end());
    return Run({"book", "override"}, arguments).out;
  };
  EXPECT_THAT(said_to({"--points", "500"}), HasSubstr("This is more than the 110 points that lab2 has."));
  EXPECT_THAT(said_to({"--points", "110"}), Not(HasSubstr("more than")));
  EXPECT_THAT(said_to({"--rung", "v1", "--points", "10.5"}), HasSubstr("more than the 10 points that v1_naive has"));
}

TEST_F(BookCommandTest, AFormatOfOneStudentAsksForTheStudent) {
  const ProgramResult result = Run({"export"}, {"--format", "gradescope"});
  EXPECT_EQ(result.exit_code, 2);
  EXPECT_THAT(result.err, HasSubstr("the format gradescope is about one student, and "));
  EXPECT_THAT(result.err, HasSubstr("name one: --student ID"));
}

TEST_F(BookCommandTest, AnOverrideThatMeansNothingIsRefused) {
  const auto error_of = [this](const std::vector<std::string>& arguments) {
    const ProgramResult result = Run({"book", "override"}, arguments);
    EXPECT_EQ(result.exit_code, 2);
    return result.err;
  };
  const auto with = [](const std::string& student, const std::string& lab, std::vector<std::string> more) {
    more.insert(more.begin(), {student, "--lab", lab, "--reason", "why"});
    return more;
  };
  EXPECT_THAT(error_of(with("s9", "lab2", {"--points", "3"})), HasSubstr("there is no student 's9'"));
  EXPECT_THAT(error_of(with("s1", "lab99", {"--points", "3"})), HasSubstr("there is no lab 'lab99'"));
  EXPECT_THAT(error_of(with("s1", "lab2", {"--rung", "v99", "--points", "3"})), HasSubstr("there is no rung 'v99'"));
  EXPECT_THAT(error_of(with("s1", "lab2", {"--points", "-3"})), HasSubstr("--points"));
  EXPECT_THAT(error_of(with("s1", "lab2", {})), HasSubstr("give either --points, or --withdraw"));
  EXPECT_THAT(error_of({"s1", "--lab", "lab2", "--points", "3", "--reason", " "}), HasSubstr("--reason is empty"));
  EXPECT_TRUE(book_->Overrides("")->empty());
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
}

}  // namespace
}  // namespace warpgrade
