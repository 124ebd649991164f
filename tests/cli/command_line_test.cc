// The built `warpgrade` as a person or a script meets it: help, exit codes, messages. What it grades is tested in
// tests/course.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "grader/report/formats.h"
#include "tests/cli/program.h"

namespace warpgrade {
namespace {

using testing::HasSubstr;
using testing::Not;
using testing::StartsWith;

ProgramResult Warpgrade(std::vector<std::string> arguments) {
  arguments.insert(arguments.begin(), WARPGRADE_BINARY);
  return RunProgram(arguments);
}

TEST(CommandLineTest, HelpShowsEveryCommandAndExamples) {
  const ProgramResult result = Warpgrade({"--help"});
  EXPECT_EQ(result.exit_code, 0);
  for (const char* command :
       {"grade",  "batch", "book",    "export", "leaderboard", "accept",    "validate", "what-if",
        "doctor", "check", "explain", "quiz",   "poll",        "course",    "release",  "make-starter",
        "plot",   "run",   "ui",      "test",   "autograder",  "calibrate", "handout"}) {
    EXPECT_THAT(result.out, HasSubstr(std::string("  ") + command + " ")) << command;
    const ProgramResult help = Warpgrade({command, "--help"});
    EXPECT_EQ(help.exit_code, 0) << command;
    EXPECT_THAT(help.out, HasSubstr("Examples:\n")) << command;
    EXPECT_THAT(help.out, HasSubstr("Exit status: ")) << command;
  }
  EXPECT_THAT(result.out, HasSubstr("Exit status:"));
  EXPECT_THAT(result.out, Not(HasSubstr("judge-rung"))) << "internal";
}

TEST(CommandLineTest, TheHelpOfMakeStarterShowsEveryMarker) {
  const ProgramResult result = Warpgrade({"make-starter", "--help"});
  for (const char* marker :
       {"// BEGIN SOLUTION\n", "// ELSE STARTER\n", "//| NOT_WRITTEN_YET();\n", "// END SOLUTION\n"}) {
    EXPECT_THAT(result.out, HasSubstr(std::string("    ") + marker));
  }
}

TEST(CommandLineTest, ACourseIsPrintedWithItsPointsAndLimits) {
  const TemporaryFolder folder;
  const std::string path = folder.Write("course.yaml",
                                        "course: {name: Mine, term: now}\n"
                                        "targets: {h200: {match: NVIDIA H200}}\n"
                                        "labs:\n"
                                        "  lab2:\n"
                                        "    title: Transpose\n"
                                        "    quiz: {points: 3}\n"
                                        "    rungs:\n"
                                        "      v1_naive:\n"
                                        "        title: Naive\n"
                                        "        points: {correctness: 5, technique: 2, throughput: 1}\n"
                                        "        technique:\n"
                                        "          - {metric: atomics, max: 0, provided: {metric: threads, min: 32}}\n"
                                        "        throughput:\n"
                                        "          h200: {unit: GB/s, zero: 100, full: 300}\n"
                                        "          any: {unit: share_of_copy, steps: [{at: 0.5, points: 1}]}\n");
  const ProgramResult printed = Warpgrade({"course", "--course", path});
  ASSERT_EQ(printed.exit_code, 0) << printed.err;
  const auto course = nlohmann::json::parse(printed.out);
  const auto& lab = course["labs"][0];
  EXPECT_EQ(lab["points"], 11);
  EXPECT_EQ(lab["quiz"], 3);
  const auto& rung = lab["rungs"][0];
  EXPECT_EQ(rung["points"]["technique"], 2);
  EXPECT_EQ(rung["technique"][0]["metric"], "atomics");
  EXPECT_EQ(rung["technique"][0]["max"], 0);
  EXPECT_TRUE(rung["technique"][0]["min"].is_null());
  EXPECT_EQ(rung["technique"][0]["provided"][0]["metric"], "threads");
  EXPECT_EQ(rung["throughput"]["h200"]["full"], 300);
  EXPECT_EQ(rung["throughput"]["any"]["steps"][0]["at"], 0.5);
  folder.Write("course.yaml", "course: {}\n");
  EXPECT_EQ(Warpgrade({"course", "--course", path}).exit_code, 2);
}

TEST(CommandLineTest, SaysItsVersion) {
  const ProgramResult result = Warpgrade({"--version"});
  EXPECT_EQ(result.exit_code, 0);
  EXPECT_THAT(result.out, StartsWith("warpgrade 0."));
}

TEST(CommandLineTest, NoCommandAnUnknownOneOrABadOptionIsAUsageError) {
  EXPECT_EQ(Warpgrade({}).exit_code, 2);
  EXPECT_EQ(Warpgrade({"grad"}).exit_code, 2);
  EXPECT_EQ(Warpgrade({"grade"}).exit_code, 2) << "no path";
  EXPECT_EQ(Warpgrade({"grade", "x", "--colour"}).exit_code, 2);
  EXPECT_EQ(Warpgrade({"grade", "x", "--jobs", "0"}).exit_code, 2);
  EXPECT_EQ(Warpgrade({"grade", "x", "--device", "abacus"}).exit_code, 2);
}

TEST(CommandLineTest, AnUnknownCommandNamesTheNearest) {
  EXPECT_THAT(Warpgrade({"grad"}).err, HasSubstr("there is no command 'grad' in warpgrade; did you mean 'grade'?"));
  EXPECT_THAT(Warpgrade({"abacus"}).err, HasSubstr("it has grade, batch, inbox, book, export, leaderboard, autograder, "
                                                   "accept, validate, what-if, calibrate, similar, release, new, "
                                                   "prove, make-starter, doctor, check, explain, handout, quiz, poll, "
                                                   "course, occupancy, plot, study, run, ui and test"));
}

TEST(CommandLineTest, AnUnknownCommandBelowAnotherNamesTheNearest) {
  const ProgramResult result = Warpgrade({"book", "lst", "marks.db"});
  EXPECT_EQ(result.exit_code, 2);
  EXPECT_EQ(result.err, "warpgrade: there is no command 'lst' in warpgrade book; did you mean 'list'?\n");
  EXPECT_THAT(Warpgrade({"book"}).err, StartsWith("warpgrade: `warpgrade book` needs a command: list, show, history,"));
  EXPECT_EQ(Warpgrade({"book", "--help"}).exit_code, 0);
}

TEST(CommandLineTest, AMissingOptionIsNamedAfterTheNameOfTheProgram) {
  EXPECT_EQ(Warpgrade({"batch", "x", "--gradebook", "y"}).err,
            "warpgrade: --lab is required; `warpgrade batch --help` shows all options\n");
  EXPECT_THAT(Warpgrade({"book", "override", "x"}).err,
              HasSubstr("; `warpgrade book override --help` shows all options\n"));
}

TEST(CommandLineTest, AFileInAMissingFolderIsFoundOutBeforeTheWork) {
  for (const report::Format& format : report::Formats()) {
    const ProgramResult result = Warpgrade({"grade", "/no/such/place", format.flag, "/nowhere/out"});
    EXPECT_EQ(result.exit_code, 2) << format.flag;
    EXPECT_EQ(result.err, "warpgrade: " + format.flag +
                              " /nowhere/out: there is no folder /nowhere; make it, or name another one\n");
  }
  EXPECT_THAT(Warpgrade({"check", "lab1", "--json", "/nowhere/out"}).err, HasSubstr("there is no folder /nowhere"));
  EXPECT_THAT(Warpgrade({"grade", "/no/such/place", "--csv", "/tmp"}).err,
              HasSubstr("--csv /tmp: this is a folder; name a file"));
}

TEST(CommandLineTest, AnUnknownWordForAnOptionListsTheWords) {
  const ProgramResult device = Warpgrade({"grade", "x", "--device", "abacus"});
  EXPECT_THAT(device.err, HasSubstr("there is no choice 'abacus'; write one of auto, emulator, gpu"));
  const ProgramResult sandbox = Warpgrade({"grade", "x", "--sandbox", "sand"});
  EXPECT_THAT(sandbox.err, HasSubstr("there is no choice 'sand'; write one of bubblewrap, none, user"));
}

TEST(CommandLineTest, ASubmissionThatIsNotThereIsNamed) {
  const ProgramResult result = Warpgrade({"grade", "/no/such/place"});
  EXPECT_EQ(result.exit_code, 2);
  EXPECT_THAT(result.err, HasSubstr("/no/such/place"));
}

TEST(CommandLineTest, ACourseFileThatIsNotThereIsNamed) {
  const TemporaryFolder folder;
  folder.Write("s1/lab1/notes.txt", "");
  const ProgramResult result = Warpgrade({"grade", folder.Path("s1"), "--course", "/no/course.yaml"});
  EXPECT_EQ(result.exit_code, 2);
  EXPECT_THAT(result.err, HasSubstr("/no/course.yaml"));
}

TEST(CommandLineTest, AMistakeInTheCourseFileIsAnsweredWithItsPlace) {
  const TemporaryFolder folder;
  folder.Write("s1/lab1/notes.txt", "");
  const std::string course = folder.Write("course.yaml", "course: Test\nlaps: 3\n");
  const ProgramResult result = Warpgrade({"grade", folder.Path("s1"), "--course", course});
  EXPECT_EQ(result.exit_code, 2);
  EXPECT_THAT(result.err, HasSubstr("course.yaml:2:1"));
  EXPECT_THAT(result.err, HasSubstr("laps"));
}

TEST(CommandLineTest, AnUnknownLabOrRungNamesTheNearest) {
  const TemporaryFolder folder;
  folder.Write("s1/lab1/notes.txt", "");
  const ProgramResult lab = Warpgrade({"grade", folder.Path("s1"), "--lab", "lap1"});
  EXPECT_EQ(lab.exit_code, 2);
  EXPECT_THAT(lab.err, HasSubstr("did you mean 'lab1'?"));
  const ProgramResult rung = Warpgrade({"check", "lab1", "v3_sequentail", "--submission", folder.Path("s1")});
  EXPECT_EQ(rung.exit_code, 2);
  EXPECT_THAT(rung.err, HasSubstr("did you mean 'v3_sequential'?"));
}

TEST(CommandLineTest, AnEmptySubmissionIsGradedAndExitsWithZero) {
  const TemporaryFolder folder;
  folder.Write("class/s1/lab1/notes.txt", "");
  folder.Write("class/s2/readme.txt", "");
  const std::string json = folder.Path("out.json"), csv = folder.Path("out.csv"), junit = folder.Path("out.xml");
  const ProgramResult result = Warpgrade(
      {"grade", folder.Path("class"), "--device", "emulator", "--json", json, "--csv", csv, "--junit", junit});
  EXPECT_EQ(result.exit_code, 0) << result.err;
  const auto report = nlohmann::json::parse(ReadText(json));
  ASSERT_EQ(report["submissions"].size(), 2u);
  for (const auto& submission : report["submissions"]) {
    EXPECT_EQ(submission["points"], 0);
    for (const auto& lab : submission["labs"]) {
      for (const auto& rung : lab["rungs"]) {
        // The row that takes bonus points out of the sums is no rung.
        if (rung["rung"] == "not_counted") continue;
        EXPECT_EQ(rung["status"], "missing") << rung["rung"];
      }
    }
  }
  EXPECT_THAT(ReadText(csv), HasSubstr("s2"));
  EXPECT_THAT(ReadText(junit), HasSubstr("<testsuite"));
  EXPECT_EQ(result.err, "") << "quiet when not on a terminal";
  EXPECT_THAT(result.out, Not(HasSubstr("\033["))) << "no colours when not on a terminal";
}

// Runs `command` with an option for each format that `is_offered`, and expects a file from each.
void ExpectFormats(std::vector<std::string> command, const std::function<bool(const report::Format&)>& is_offered) {
  const TemporaryFolder folder;
  const std::string help = Warpgrade({command[0], "--help"}).out;
  for (const report::Format& format : report::Formats()) {
    EXPECT_EQ(help.find("  " + format.flag + " FILE") != std::string::npos, is_offered(format)) << format.flag;
    if (!is_offered(format)) continue;
    EXPECT_THAT(help, HasSubstr(format.help));
    command.insert(command.end(), {format.flag, folder.Path("out" + format.flag)});
  }
  const ProgramResult result = Warpgrade(command);
  EXPECT_EQ(result.exit_code, 0) << result.err;
  for (const report::Format& format : report::Formats()) {
    if (!is_offered(format)) continue;
    EXPECT_NE(ReadText(folder.Path("out" + format.flag)), "") << format.flag;
  }
}

TEST(CommandLineTest, GradeOffersEveryFormatAndWritesIt) {
  const TemporaryFolder folder;
  folder.Write("s1/lab1/notes.txt", "");
  ExpectFormats({"grade", folder.Path("s1"), "--device", "emulator"}, [](const report::Format&) { return true; });
}

// Before it grades, which takes hours for a class.
TEST(CommandLineTest, AFormatOfOneSubmissionIsRefusedForAClassBeforeGrading) {
  const TemporaryFolder folder;
  folder.Write("class/s1/lab1/notes.txt", "");
  folder.Write("class/s2/lab1/notes.txt", "");
  for (const report::Format& format : report::Formats()) {
    if (!format.one_submission) continue;
    const std::string file = folder.Path("out"), csv = folder.Path("out.csv");
    const ProgramResult result =
        Warpgrade({"grade", folder.Path("class"), "--device", "emulator", format.flag, file, "--csv", csv});
    EXPECT_EQ(result.exit_code, 2) << format.flag;
    EXPECT_THAT(result.err, HasSubstr(format.flag + " is about one submission, but there are 2; grade each by itself"));
    EXPECT_EQ(result.out, "") << format.flag;
    EXPECT_FALSE(std::filesystem::exists(file));
    EXPECT_FALSE(std::filesystem::exists(csv));
  }
}

TEST(CommandLineTest, TheNumberOfAnAssignmentStandsInTheHeadingForCanvas) {
  const TemporaryFolder folder;
  folder.Write("s1/lab1/notes.txt", "");
  const std::string file = folder.Path("canvas.csv");
  const auto grade = [&](const std::string& assignment) {
    return Warpgrade({"grade", folder.Path("s1"), "--device", "emulator", "--lab", "lab1", "--canvas", file,
                      "--canvas-assignment", assignment});
  };
  EXPECT_EQ(grade("lab1=4711").exit_code, 0);
  EXPECT_THAT(ReadText(file), HasSubstr("Student,ID,SIS User ID,SIS Login ID,Section,lab1 (4711)\r\n"));
  for (const char* wrong : {"4711", "lab1=", "=4711", "lab1=47a", ""}) {
    const ProgramResult result = grade(wrong);
    EXPECT_EQ(result.exit_code, 2) << wrong;
    EXPECT_THAT(result.err, HasSubstr("write LAB=NUMBER, such as lab2=4711")) << wrong;
  }
  EXPECT_THAT(grade("lap1=4711").err, HasSubstr("there is no lab 'lap1' in course.yaml; did you mean 'lab1'?"));
}

TEST(CommandLineTest, CheckOffersEveryFormatForOneSubmissionAndWritesIt) {
  const TemporaryFolder folder;
  folder.Write("s1/lab1/notes.txt", "");
  ExpectFormats({"check", "lab1", "--submission", folder.Path("s1"), "--device", "emulator"},
                [](const report::Format& format) { return !format.compares_submissions; });
}

TEST(CommandLineTest, AcceptOffersEveryFormatButTheOneThatItReads) {
  const std::string help = Warpgrade({"accept", "--help"}).out;
  for (const report::Format& format : report::Formats()) {
    const bool is_offered = help.find("  " + format.flag + " FILE") != std::string::npos;
    EXPECT_EQ(is_offered, format.flag != report::kJsonFlag) << format.flag;
  }
}

TEST(CommandLineTest, CheckingAQuizRefusesAFormatAndNamesTheCommandThatWritesIt) {
  const ProgramResult result = Warpgrade({"check", "lab1", "quiz", "--junit", "quiz.xml"});
  EXPECT_EQ(result.exit_code, 2);
  EXPECT_THAT(result.err, HasSubstr("`warpgrade grade SUBMISSION --lab lab1 --rung quiz --junit quiz.xml`"));
}

// Without a compiler or a file that is right: who has handed in nothing is listed, and not ranked.
TEST(CommandLineTest, ALabWithAContestHasALeaderboard) {
  const TemporaryFolder folder;
  folder.Write("class/s1/lab5/notes.txt", "");
  folder.Write("class/=cmd|' !A0/lab5/notes.txt", "");
  const std::string json = folder.Path("out.json"), csv = folder.Path("board.csv");
  const ProgramResult result = Warpgrade(
      {"grade", folder.Path("class"), "--device", "emulator", "--lab", "lab5", "--json", json, "--leaderboard", csv});
  ASSERT_EQ(result.exit_code, 0) << result.err;
  EXPECT_THAT(result.out, HasSubstr("lab5 Scan · leaderboard (time is not measured here"));
  const auto report = nlohmann::json::parse(ReadText(json));
  ASSERT_EQ(report["leaderboards"].size(), 1u);
  EXPECT_EQ(report["leaderboards"][0]["timed"], false);
  ASSERT_EQ(report["leaderboards"][0]["entries"].size(), 2u);
  EXPECT_TRUE(report["leaderboards"][0]["entries"][0]["rank"].is_null());
  EXPECT_THAT(ReadText(csv), HasSubstr("lab5,,'=cmd|' !A0,,,0,,nothing handed in\r\n"));
  EXPECT_THAT(ReadText(csv), HasSubstr("lab5,,s1,,,0,,nothing handed in\r\n"));
}

TEST(CommandLineTest, HiddenNamesAreInNoLeaderboardAndKnownToTheJson) {
  const TemporaryFolder folder;
  folder.Write("class/s1042/lab5/notes.txt", "");
  folder.Write("class/s1043/lab5/notes.txt", "");
  const std::string json = folder.Path("out.json"), csv = folder.Path("board.csv");
  const ProgramResult result = Warpgrade({"grade", folder.Path("class"), "--device", "emulator", "--lab", "lab5",
                                          "--json", json, "--leaderboard", csv, "--hide-names"});
  ASSERT_EQ(result.exit_code, 0) << result.err;
  EXPECT_THAT(ReadText(csv), Not(HasSubstr("s104")));
  EXPECT_THAT(result.out.substr(result.out.find("leaderboard")), Not(HasSubstr("s104")));
  const auto entries = nlohmann::json::parse(ReadText(json))["leaderboards"][0]["entries"];
  ASSERT_EQ(entries.size(), 2u);
  for (const auto& entry : entries) {
    EXPECT_THAT(entry["id"].get<std::string>(), StartsWith("s104"));
    EXPECT_THAT(ReadText(csv), HasSubstr(entry["shown_as"].get<std::string>()));
  }
}

TEST(CommandLineTest, PartOfAContestHasNoLeaderboard) {
  const TemporaryFolder folder;
  folder.Write("class/s1/lab5/notes.txt", "");
  folder.Write("class/s2/lab5/notes.txt", "");
  const ProgramResult result =
      Warpgrade({"grade", folder.Path("class"), "--device", "emulator", "--lab", "lab5", "--rung", "v1"});
  ASSERT_EQ(result.exit_code, 0) << result.err;
  EXPECT_THAT(result.out, Not(HasSubstr("leaderboard")));
}

TEST(CommandLineTest, AnOptionThatRepeatsLeavesThePathAlone) {
  const TemporaryFolder folder;
  folder.Write("s1/lab1/notes.txt", "");
  const ProgramResult result = Warpgrade({"grade", "--device", "emulator", "--lab", "lab1", folder.Path("s1")});
  EXPECT_EQ(result.exit_code, 0) << result.err;
}

TEST(CommandLineTest, AFileThatCannotBeWrittenIsAMachineFailureAfterThePrint) {
  const TemporaryFolder folder;
  folder.Write("s1/lab1/notes.txt", "");
  const ProgramResult result = Warpgrade({"grade", folder.Path("s1"), "--device", "emulator", "--json", "/dev/full"});
  EXPECT_EQ(result.exit_code, 3);
  EXPECT_THAT(result.err, HasSubstr("/dev/full: cannot be written"));
  EXPECT_THAT(result.out, HasSubstr("lab1"));
}

TEST(CommandLineTest, TestIsTheLaunchers) {
  const ProgramResult result = Warpgrade({"test", "-R", "Emulator"});
  EXPECT_EQ(result.exit_code, 2);
  EXPECT_THAT(result.err, HasSubstr("./warpgrade test"));
}

TEST(CommandLineTest, RunPassesArgumentsAndTheExitCodeThrough) {
  const ProgramResult result =
      Warpgrade({"run", "--device", "emulator", "--", "sh", "-c", "echo \"$1 $2\"; exit 5", "sh", "--flag", "a b"});
  EXPECT_EQ(result.exit_code, 5);
  EXPECT_EQ(result.out, "--flag a b\n");
  EXPECT_THAT(result.err, HasSubstr("running on the emulator"));
}

TEST(CommandLineTest, RunOnTheEmulatorPutsOurRuntimeFirst) {
  const ProgramResult result =
      Warpgrade({"run", "--device", "emulator", "--", "sh", "-c", "ls \"${LD_LIBRARY_PATH%%:*}\""});
  EXPECT_THAT(result.out, HasSubstr("libcudart.so.13"));
}

TEST(CommandLineTest, RunNamesAProgramThatIsNotThere) {
  const ProgramResult result = Warpgrade({"run", "--device", "emulator", "--", "./no-such-program"});
  EXPECT_EQ(result.exit_code, 2);
  EXPECT_THAT(result.err, HasSubstr("./no-such-program"));
}

struct TestEnd {
  const char* name;
  const char* script;
  int exit_code;
  const char* recorded;
};

class RecordedRunTest : public testing::TestWithParam<TestEnd> {};

TEST_P(RecordedRunTest, SaysWhatBecameOfTheTest) {
  const TemporaryFolder folder;
  const ProgramResult result = Warpgrade({"run", "--device", "emulator", "--record", folder.Path("results"), "--test",
                                          "lab1.v1_x.correctness", "--", "sh", "-c", GetParam().script});
  EXPECT_EQ(result.exit_code, GetParam().exit_code);
  EXPECT_THAT(result.out, HasSubstr("running on the emulator"));
  EXPECT_THAT(ReadText(folder.Path("results/lab1.v1_x.correctness")), StartsWith(GetParam().recorded));
  const ProgramResult table = Warpgrade({"ctest-report", "end", folder.Path("results")});
  EXPECT_THAT(table.out, HasSubstr("lab1.v1_x"));
}

INSTANTIATE_TEST_SUITE_P(Ends, RecordedRunTest,
                         testing::Values(TestEnd{"Passed", "exit 0", 0, "passed\t"},
                                         TestEnd{"Wrong", "exit 1", 1, "failed\t"},
                                         TestEnd{"NotWritten", "exit 77", 77, "not_written\t"},
                                         TestEnd{"DoesNotCompile", "exit 65", 65, "compile_error\t"},
                                         TestEnd{"Missing", "exit 66", 66, "missing\t"},
                                         TestEnd{"Crashed", "kill -SEGV $$", 1, "crashed\t"}),
                         [](const auto& info) { return std::string(info.param.name); });

}  // namespace
}  // namespace warpgrade
