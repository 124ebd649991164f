// `warpgrade batch` with the built kit: a small class, handed in again and again.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <string>
#include <thread>
#include <vector>

#include "tests/course/graded.h"

namespace warpgrade {
namespace {

namespace fs = std::filesystem;
using testing::HasSubstr;
using testing::Not;

constexpr char kFile[] = "/lab1/v1_interleaved_modulo.cu";

class BatchCommandTest : public testing::Test {
 protected:
  static std::string Right() { return ReadText(SourcePath("solutions/lab1/v1_interleaved_modulo.cu")); }
  static std::string Unwritten() { return ReadText(SourcePath("starter/lab1/v1_interleaved_modulo.cu")); }

  void SetUp() override {
    folder_.Write(std::string("class/s1") + kFile, Right());
    folder_.Write(std::string("class/s2") + kFile, Unwritten());
    folder_.Write(std::string("class/s3") + kFile, "int x = ;\n");
  }

  std::vector<std::string> Command(const std::vector<std::string>& more = {}) const {
    std::vector<std::string> command = {WARPGRADE_BINARY,
                                        "batch",
                                        folder_.Path("class"),
                                        "--device",
                                        "emulator",
                                        "--gradebook",
                                        folder_.Path("marks.db"),
                                        "--lab",
                                        "lab1"};
    command.insert(command.end(), more.begin(), more.end());
    return command;
  }
  ProgramResult Batch(const std::vector<std::string>& more = {}) const { return RunProgram(Command(more)); }
  std::string Export() const {
    return RunProgram({WARPGRADE_BINARY, "export", folder_.Path("marks.db"), "--format", "csv"}).out;
  }

  const TemporaryFolder folder_;
};

TEST_F(BatchCommandTest, AClassIsGradedOnceAndTheSecondRunHasNothingToDo) {
  const ProgramResult first = Batch();
  EXPECT_EQ(first.exit_code, 0) << first.err;
  EXPECT_THAT(first.out, HasSubstr("3 submissions: 3 graded\n"));
  EXPECT_THAT(first.err, HasSubstr("[3/3] s"));
  EXPECT_THAT(first.err, Not(HasSubstr("\033"))) << "a log has no escape codes";
  const std::string marks = Export();
  EXPECT_THAT(marks, HasSubstr("does not compile"));
  const ProgramResult second = Batch();
  EXPECT_EQ(second.exit_code, 0) << second.err;
  EXPECT_THAT(second.out, HasSubstr("3 submissions: 0 graded, 3 unchanged (neither built nor run again)\n"));
  EXPECT_EQ(second.err, "");
  EXPECT_EQ(Export(), marks);

  // The marks are those of `grade`, which shares the code.
  const std::string csv = folder_.Path("grade.csv");
  const ProgramResult grade = RunProgram(
      {WARPGRADE_BINARY, "grade", folder_.Path("class"), "--device", "emulator", "--lab", "lab1", "--csv", csv});
  EXPECT_EQ(grade.exit_code, 0) << grade.err;
  EXPECT_EQ(ReadText(csv), marks);
}

TEST_F(BatchCommandTest, OnlyWhatHasChangedIsGradedAgainAndBothAttemptsStay) {
  ASSERT_EQ(Batch().exit_code, 0);
  folder_.Write(std::string("class/s3") + kFile, Right());
  const ProgramResult second = Batch();
  EXPECT_THAT(second.out, HasSubstr("3 submissions: 1 graded, 2 unchanged"));
  EXPECT_THAT(Export(), Not(HasSubstr("does not compile")));
  const ProgramResult history = RunProgram({WARPGRADE_BINARY, "book", "history", folder_.Path("marks.db"), "s3"});
  EXPECT_THAT(history.out, HasSubstr("lab1  1  "));
  EXPECT_THAT(history.out, HasSubstr("lab1  2  "));
  EXPECT_THAT(Batch({"--fresh"}).out, HasSubstr("3 submissions: 3 graded\n"));
}

TEST_F(BatchCommandTest, TheRosterSaysWhoIsWhoAndWhoIsMissing) {
  const std::string roster = folder_.Write("roster.csv", "id,name\ns1,Ada\ns2,\"Babbage, Charles\"\ns4,Zed\n");
  fs::rename(folder_.Path("class/s2"), folder_.Path("class/babbagecharles_LATE_12_34_lab1"));
  const std::string alike = folder_.Write(
      "alike.json", R"({"schema": "warpgrade.similar/1", "lab": "lab1", "equal": [], "pairs": [{"first": "s1",)"
                    R"("second": "s2", "share": 0.75, "matches": []}]})");
  const std::string page = folder_.Path("class.html");
  const ProgramResult result = Batch({"--roster", roster, "--html", page, "--similar", alike});
  EXPECT_EQ(result.exit_code, 0) << result.err;
  EXPECT_THAT(result.out, HasSubstr("Of no student:\n  s3: the roster has no student s3\n"));
  EXPECT_THAT(result.out, HasSubstr("Handed nothing in:\n  s4\n"));
  EXPECT_THAT(result.out, HasSubstr("3 submissions: 2 graded, 1 of no student\n"));
  const std::string text = ReadText(page);
  for (const char* data : {R"("no student","s3: the roster has no student s3"])",
                           R"("rows":[["lab1","s1, s2",75.0,""]])", R"("name":"Babbage, Charles")"}) {
    EXPECT_NE(text.find(data), std::string::npos) << data;
  }
  EXPECT_THAT(Export(), HasSubstr("\ns4,"));
  const ProgramResult show = RunProgram({WARPGRADE_BINARY, "book", "show", folder_.Path("marks.db"), "s2"});
  EXPECT_THAT(show.out, HasSubstr("s2 · Babbage, Charles"));
  EXPECT_THAT(show.out, HasSubstr("marked LATE"));
}

TEST_F(BatchCommandTest, WithoutARosterTheOneInTheGradebookSaysWhoIsWhoAndWhoIsMissing) {
  ASSERT_EQ(Batch({"--roster", folder_.Write("roster.csv", "id\ns1\ns2\ns3\ns4\n")}).exit_code, 0);
  fs::remove_all(folder_.Path("class/s1"));
  fs::rename(folder_.Path("class/s2"), folder_.Path("class/downloads"));
  const ProgramResult result = Batch();
  EXPECT_EQ(result.exit_code, 0) << result.err;
  EXPECT_THAT(result.out, HasSubstr("Of no student:\n  downloads: the roster has no student downloads\n"));
  EXPECT_THAT(result.out, HasSubstr("Handed nothing in:\n  s4\n"));
  EXPECT_THAT(Export(), Not(HasSubstr("downloads")));
}

TEST_F(BatchCommandTest, APageThatCannotBeWrittenOrMadeIsAnErrorBeforeTheWork) {
  for (const auto& [option, value] : {std::pair("--html", "none/class.html"), std::pair("--similar", "none.json")}) {
    const ProgramResult result = Batch({option, folder_.Path(value)});
    EXPECT_EQ(result.exit_code, 2) << option;
    EXPECT_THAT(result.err, HasSubstr(option));
    EXPECT_FALSE(fs::exists(folder_.Path("marks.db")));
  }
}

TEST_F(BatchCommandTest, AWrongRosterOrLabIsAnErrorAndMakesNoGradebook) {
  const ProgramResult roster = Batch({"--roster", folder_.Write("roster.csv", "id,name\ns1,Ada\ns1,Bob\n")});
  EXPECT_EQ(roster.exit_code, 2);
  EXPECT_THAT(roster.err, HasSubstr("roster.csv:3:1: the id 's1' already stands in line 2"));
  EXPECT_FALSE(fs::exists(folder_.Path("marks.db")));
  std::vector<std::string> command = Command();
  command.back() = "lab99";
  EXPECT_EQ(RunProgram(command).exit_code, 2);
  EXPECT_FALSE(fs::exists(folder_.Path("marks.db")));
}

TEST_F(BatchCommandTest, SubmissionsWithoutTheLabAreNotAttempts) {
  folder_.Write("class/s5/lab2/v1_naive.cu", "x");
  fs::remove_all(folder_.Path("class/s3"));
  EXPECT_THAT(Batch().out, HasSubstr("2 submissions: 2 graded\n"));
  EXPECT_THAT(Export(), Not(HasSubstr("s5")));
}

TEST_F(BatchCommandTest, TwoBatchesAtOnceGiveTheMarksOfOne) {
  ProgramResult one, other;
  {
    const std::jthread first([&] { one = Batch({"--jobs", "1"}); });
    const std::jthread second([&] { other = Batch({"--jobs", "1"}); });
  }
  EXPECT_EQ(one.exit_code, 0) << one.err;
  EXPECT_EQ(other.exit_code, 0) << other.err;
  const std::string marks = Export();
  EXPECT_THAT(Batch().out, HasSubstr("0 graded, 3 unchanged"));
  fs::remove(folder_.Path("marks.db"));
  ASSERT_EQ(Batch().exit_code, 0);
  EXPECT_EQ(Export(), marks);
}

TEST_F(BatchCommandTest, AnAppealGradesTheAttemptAgainWithTheSameResult) {
  ASSERT_EQ(Batch().exit_code, 0);
  const std::string folder = folder_.Path("appeal");
  const ProgramResult appeal =
      RunProgram({WARPGRADE_BINARY, "book", "appeal", folder_.Path("marks.db"), "s1", "--output", folder});
  ASSERT_EQ(appeal.exit_code, 0) << appeal.err;
  EXPECT_THAT(ReadText(folder + "/log.txt"), HasSubstr("v1_interleaved_modulo ends"));
  const ProgramResult rerun = RunProgram({folder + "/rerun.sh"}, {std::string("WARPGRADE=") + WARPGRADE_BINARY});
  ASSERT_EQ(rerun.exit_code, 0) << rerun.err;
  const auto labs = [&folder](const char* file) {
    return nlohmann::json::parse(ReadText(folder + "/" + file)).at("submissions").at(0).at("labs");
  };
  EXPECT_EQ(labs("rerun.json"), labs("result.json"));
}

// A report names the seed if the result depended on the order. One run in a million draws one of six digits.
TEST_F(BatchCommandTest, AProgramCannotTryAllSeedsOfItsOrdersNorForeseeThoseOfTheNextAttempt) {
  fs::remove_all(folder_.Path("class"));
  const std::string source = ReadText(SourcePath("tests/attacks/28_relies_on_an_order/last_number.cu"));
  for (const char* student : {"s1", "s2", "s3"}) {
    const std::string next = student == std::string("s2") ? "// the next attempt\n" : "";
    folder_.Write("class/" + std::string(student) + "/lab1/v9_one_pass.cu", source + next);
  }
  ASSERT_EQ(Batch().exit_code, 0);
  const ProgramResult exported = RunProgram({WARPGRADE_BINARY, "export", folder_.Path("marks.db"), "--format", "json"});
  const std::string key = "\"delay_seed\":";
  std::vector<uint64_t> seeds;
  for (size_t at = exported.out.find(key); at != std::string::npos; at = exported.out.find(key, at + 1)) {
    seeds.push_back(std::stoull(exported.out.substr(at + key.size())));
  }
  ASSERT_EQ(seeds.size(), 3u) << exported.out << exported.err;
  EXPECT_GT(seeds[0], 999'999u);
  EXPECT_NE(seeds[1], seeds[0]) << "another file";
  EXPECT_EQ(seeds[2], seeds[0]) << "the same file can be graded again in the same way";
  fs::remove(folder_.Path("marks.db"));
  ASSERT_EQ(Batch().exit_code, 0);
  const ProgramResult other = RunProgram({WARPGRADE_BINARY, "export", folder_.Path("marks.db"), "--format", "json"});
  EXPECT_THAT(other.out, Not(HasSubstr(std::to_string(seeds[0])))) << "another gradebook has another secret";
}

TEST_F(BatchCommandTest, DueDatesChangeTheMarksWithoutGradingAgain) {
  ASSERT_EQ(Batch().exit_code, 0);
  std::string text = ReadText(SourcePath("course.yaml"));
  const std::string lab = "\n  lab1:\n";
  ASSERT_NE(text.find(lab), std::string::npos);
  text.insert(text.find(lab) + lab.size(), "    due: 2020-01-01\n    hand_in: {most_days_late: 2}\n");
  const ProgramResult result = Batch({"--course", folder_.Write("course.yaml", text)});
  EXPECT_EQ(result.exit_code, 0) << result.err;
  EXPECT_THAT(result.out, HasSubstr("0 graded, 3 unchanged"));
  EXPECT_THAT(result.out, HasSubstr("s1          0/110   0/110"));
  const ProgramResult show = RunProgram(
      {WARPGRADE_BINARY, "book", "show", folder_.Path("marks.db"), "s1", "--course", folder_.Path("course.yaml")});
  EXPECT_THAT(show.out, HasSubstr("days late: at 20"));
  EXPECT_THAT(show.out, HasSubstr("due at 2020-01-01T23:59:59Z"));
}

TEST_F(BatchCommandTest, TheCourseOfABatchIsThatOfTheNextCommands) {
  std::string text = ReadText(SourcePath("course.yaml"));
  const std::string lab = "\n  lab1:\n";
  text.insert(text.find(lab) + lab.size(),
              "    due: 2020-01-01\n    hand_in: {late_per_day: 10%, most_days_late: 2}\n");
  const std::string course = folder_.Write("own/course.yaml", text);
  const ProgramResult first = Batch({"--course", course});
  ASSERT_EQ(first.exit_code, 0) << first.err;
  EXPECT_THAT(first.out, HasSubstr("days late: "));
  EXPECT_THAT(first.out, HasSubstr(" points lost"));
  const ProgramResult second = Batch();
  EXPECT_THAT(second.out, HasSubstr("0 graded, 3 unchanged"));
  EXPECT_THAT(second.out, HasSubstr("s1          0/110   0/110"));
  EXPECT_THAT(second.err, HasSubstr("marks.db goes by " + course));
  EXPECT_THAT(Export(), HasSubstr(" points lost"));
  fs::remove(course);
  EXPECT_THAT(Batch().err, HasSubstr("which is no longer there; say where it is now: --course FILE"));
  EXPECT_EQ(Batch({"--course", SourcePath("course.yaml")}).exit_code, 0);
  EXPECT_THAT(Export(), Not(HasSubstr(" points lost")));
}

TEST_F(BatchCommandTest, AChangeOfTheRulesIsGradedAgainFromTheGradebook) {
  ASSERT_EQ(Batch().exit_code, 0);
  fs::remove_all(folder_.Path("class"));
  const std::string marks = Export();
  const auto regrade = [this](const std::vector<std::string>& more) {
    std::vector<std::string> command = {WARPGRADE_BINARY,         "book",     "regrade",
                                        folder_.Path("marks.db"), "--device", "emulator"};
    command.insert(command.end(), more.begin(), more.end());
    return RunProgram(command);
  };
  EXPECT_EQ(regrade({}).exit_code, 2) << "it must be said what";
  EXPECT_THAT(regrade({"--changed"}).out, HasSubstr("3 submissions: 0 graded, 3 unchanged"));
  std::string text = ReadText(SourcePath("course.yaml"));
  const size_t limit = text.find("wall: 60s");
  ASSERT_NE(limit, std::string::npos);
  text.replace(limit, 9, "wall: 61s");
  const std::string course = folder_.Write("course.yaml", text);
  const ProgramResult changed = regrade({"--changed", "--course", course});
  EXPECT_EQ(changed.exit_code, 0) << changed.err;
  EXPECT_THAT(changed.out, HasSubstr("3 submissions: 3 graded\n"));
  EXPECT_EQ(Export(), marks);
  EXPECT_THAT(regrade({"--changed", "--course", course}).out, HasSubstr("0 graded, 3 unchanged"));
  const ProgramResult one = regrade({"--student", "s1", "--course", course});
  EXPECT_THAT(one.out, HasSubstr("1 submission: 1 graded\n"));
  EXPECT_THAT(one.out, HasSubstr("\n  s1 "));
  EXPECT_THAT(one.out, Not(HasSubstr("\n  s2 "))) << "the others were not graded again";
  EXPECT_THAT(regrade({"--student", "s9"}).err, HasSubstr("there is no student 's9'"));
  const ProgramResult history = RunProgram({WARPGRADE_BINARY, "book", "history", folder_.Path("marks.db"), "s1"});
  EXPECT_THAT(history.out, HasSubstr("batch, warpgrade"));
  EXPECT_THAT(history.out, HasSubstr("regrade, warpgrade"));
}

}  // namespace
}  // namespace warpgrade
