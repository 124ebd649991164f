// `warpgrade inbox` with the built program: uploads arrive, results appear. Most submissions do not compile, which
// takes no time to grade.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <signal.h>
#include <sys/stat.h>

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <functional>
#include <nlohmann/json.hpp>
#include <thread>

#include "tests/course/graded.h"

namespace warpgrade {
namespace {

namespace fs = std::filesystem;
using testing::HasSubstr;
using testing::Not;

// Returns when `done` is true; the test's own time limit is the end of all patience.
void WaitUntil(const std::function<bool()>& done) {
  while (!done()) std::this_thread::sleep_for(std::chrono::milliseconds(20));
}

class InboxCommandTest : public testing::Test {
 protected:
  InboxCommandTest() {
    fs::create_directories(folder_.Path("uploads"));
    WriteCourse("correctness: 9");
  }

  void WriteCourse(const std::string& points, const std::string& lab = "title: Transpose") const {
    folder_.Write("course.yaml", "course: {name: C}\nlabs:\n  lab2:\n    " + lab +
                                     "\n    rungs: {v1_naive: {title: T, points: {" + points + "}}}\n");
  }
  void Upload(const std::string& name, const std::string& text) const {
    folder_.Write("uploads/" + name + "/lab2/v1_naive.cu", text);
  }
  std::vector<std::string> Command(const std::vector<std::string>& more) const {
    std::vector<std::string> command = {WARPGRADE_BINARY,
                                        "inbox",
                                        folder_.Path("uploads"),
                                        "--output",
                                        folder_.Path("results"),
                                        "--device",
                                        "emulator",
                                        "--course",
                                        folder_.Path("course.yaml"),
                                        "--settle",
                                        "0.2"};
    command.insert(command.end(), more.begin(), more.end());
    return command;
  }
  ProgramResult Once(const std::vector<std::string>& more = {}) const {
    std::vector<std::string> all = {"--once"};
    all.insert(all.end(), more.begin(), more.end());
    return RunProgram(Command(all));
  }
  bool HasResult(const std::string& name) const { return fs::exists(folder_.Path("results/" + name)); }
  std::string ResultText(const std::string& name) const { return ReadText(folder_.Path("results/" + name)); }

  const TemporaryFolder folder_;
};

TEST_F(InboxCommandTest, OnceGradesFoldersAndArchivesAndWritesAFileForEach) {
  Upload("s1", ReadText(SourcePath("solutions/lab2/v1_naive.cu")));
  Upload("s2", "#error s2\n");
  ASSERT_EQ(
      RunProgram({"tar", "-C", folder_.Path("uploads"), "-czf", folder_.Path("uploads/s2.tar.gz"), "s2"}).exit_code, 0);
  folder_.Write("uploads/notes.txt", "no submission");
  const ProgramResult result = Once();
  EXPECT_EQ(result.exit_code, 0) << result.err;
  EXPECT_THAT(result.out, HasSubstr(" s1: 9/9 points\n"));
  EXPECT_THAT(result.out, HasSubstr(" s2.tar.gz: 0/9 points\n"));
  EXPECT_THAT(result.out, HasSubstr(" notes.txt: is no submission; skipped\n"));
  const auto json = nlohmann::json::parse(ResultText("s1.json"));
  EXPECT_EQ(json.at("submissions").at(0).at("id"), "s1");
  EXPECT_EQ(json.at("submissions").at(0).at("points"), 9);
  EXPECT_THAT(ResultText("s2.json"), HasSubstr("compile_error"));
  EXPECT_THAT(ResultText("s2.tar.gz.json"), HasSubstr("compile_error"));
  EXPECT_FALSE(HasResult("notes.txt.json"));
}

TEST_F(InboxCommandTest, AnUpToDateResultIsNotMadeAgain) {
  Upload("s1", "#error one\n");
  Upload("s2", "#error two\n");
  ASSERT_EQ(Once().exit_code, 0);
  EXPECT_THAT(Once().out, Not(HasSubstr("points")));
  Upload("s2", "#error three\n");
  const ProgramResult changed = Once();
  EXPECT_THAT(changed.out, Not(HasSubstr(" s1: ")));
  EXPECT_THAT(changed.out, HasSubstr(" s2: 0/9 points\n"));
  EXPECT_THAT(ResultText("s2.json"), HasSubstr("three"));
  fs::remove(folder_.Path("results/s1.json"));
  EXPECT_THAT(Once().out, HasSubstr(" s1: 0/9 points\n"));
  WriteCourse("correctness: 8");
  const ProgramResult other_rules = Once();
  EXPECT_THAT(other_rules.out, HasSubstr(" s1: 0/8 points\n"));
  EXPECT_THAT(other_rules.out, HasSubstr(" s2: 0/8 points\n"));
}

TEST_F(InboxCommandTest, AGradebookKeepsEveryAttemptAndItsResult) {
  const std::string book = folder_.Path("marks.db");
  const std::vector<std::string> into_book = {"--gradebook", book, "--lab", "lab2"};
  const auto history = [&book] { return RunProgram({WARPGRADE_BINARY, "book", "history", book, "s1"}).out; };
  Upload("s1", "#error one\n");
  const ProgramResult first = Once(into_book);
  EXPECT_EQ(first.exit_code, 0) << first.err;
  EXPECT_TRUE(HasResult("s1.json"));
  EXPECT_THAT(history(), HasSubstr("inbox, warpgrade"));
  EXPECT_THAT(Once(into_book).out, Not(HasSubstr("points"))) << "nothing has changed";
  Upload("s1", "#error two\n");
  EXPECT_THAT(Once(into_book).out, HasSubstr(" s1: 0/9 points\n"));
  EXPECT_THAT(history(), HasSubstr("lab2  2 "));
  EXPECT_THAT(RunProgram({WARPGRADE_BINARY, "export", book, "--format", "json"}).out, HasSubstr("#error two"));
  // A batch on the same folder finds everything graded.
  const ProgramResult batch = RunProgram({WARPGRADE_BINARY, "batch", folder_.Path("uploads"), "--lab", "lab2",
                                          "--gradebook", book, "--device", "emulator"});
  EXPECT_THAT(batch.out, HasSubstr("1 submission: 0 graded, 1 unchanged"));
  for (const char* end : {"", "-wal", "-shm"}) fs::remove(book + end);
  EXPECT_THAT(Once(into_book).out, HasSubstr(" s1: 0/9 points\n")) << "the new gradebook has nothing";
}

TEST_F(InboxCommandTest, WhoIsNotInTheRosterGetsAResultAndNoMark) {
  const std::string book = folder_.Path("marks.db");
  const std::string roster = folder_.Write("roster.csv", "id\ns1\n");
  Upload("s1", "#error\n");
  ASSERT_EQ(RunProgram({WARPGRADE_BINARY, "batch", folder_.Path("uploads"), "--lab", "lab2", "--gradebook", book,
                        "--roster", roster, "--device", "emulator", "--course", folder_.Path("course.yaml")})
                .exit_code,
            0);
  Upload("s9", "#error\n");
  const ProgramResult result = Once({"--gradebook", book});
  EXPECT_THAT(result.out, HasSubstr("s9: not in the gradebook: the roster has no student s9"));
  EXPECT_TRUE(HasResult("s9.json"));
  EXPECT_THAT(RunProgram({WARPGRADE_BINARY, "export", book, "--format", "csv"}).out, Not(HasSubstr("s9")));
}

TEST_F(InboxCommandTest, AResultIsForItsStudentAndIsMadeAgainWhenMoreMayBeSeen) {
  Upload("s1", "#error SeCrEt\n");
  WriteCourse("correctness: 9", "title: T\n    due: 2999-01-01\n    visibility: after_due");
  ASSERT_EQ(Once().exit_code, 0);
  EXPECT_THAT(ResultText("s1.json"), Not(HasSubstr("SeCrEt")));
  EXPECT_THAT(ResultText("s1.json"), HasSubstr("v1_naive is shown after the due date"));
  ASSERT_EQ(Once({"--for", "staff", "--format", "junit"}).exit_code, 0);
  EXPECT_THAT(ResultText("s1.junit"), HasSubstr("SeCrEt"));
  WriteCourse("correctness: 9", "title: T\n    due: 2020-01-01\n    visibility: after_due");
  ASSERT_EQ(Once().exit_code, 0);
  EXPECT_THAT(ResultText("s1.json"), HasSubstr("SeCrEt"));
}

TEST_F(InboxCommandTest, AHostileSubmissionHoldsNobodyUp) {
  Upload("a_class/s1", "#error\n");
  Upload("a_class/s2", "#error\n");
  folder_.Write("uploads/b_broken.zip", "PK\x03\x04 this is no archive");
  fs::create_symlink("/etc/passwd", folder_.Path("uploads/c_link.zip"));
  ASSERT_EQ(mkfifo(folder_.Path("uploads/d_pipe.zip").c_str(), 0600), 0);
  const std::string odd = "e_\x1b[2J\n=cmd|' .. \xff";
  Upload(odd, "#error\n");
  const std::string longest(250, 'f');
  Upload(longest, "#error\n");
  Upload("z_last", "#error\n");
  const ProgramResult result = Once();
  EXPECT_EQ(result.exit_code, 0) << result.out << result.err;
  EXPECT_THAT(result.out, HasSubstr(" z_last: 0/9 points\n"));
  EXPECT_THAT(result.out, Not(HasSubstr("\x1b")));
  for (const std::string& name :
       {std::string("a_class"), std::string("b_broken.zip"), std::string("c_link.zip"), odd}) {
    EXPECT_TRUE(HasResult(name + ".json")) << name;
  }
  const auto a_class = nlohmann::json::parse(ResultText("a_class.json"));
  ASSERT_EQ(a_class.at("submissions").size(), 1u) << "two submissions in a folder are one";
  EXPECT_EQ(a_class["submissions"][0]["id"], "a_class");
  EXPECT_THAT(ResultText("c_link.zip.json"), Not(HasSubstr("root:")));
  const std::string cut = longest.substr(0, 183) + "-";
  const bool has_longest =
      std::any_of(fs::directory_iterator(folder_.Path("results")), fs::directory_iterator(),
                  [&cut](const fs::directory_entry& one) { return one.path().filename().string().starts_with(cut); });
  EXPECT_TRUE(has_longest);
}

TEST_F(InboxCommandTest, WatchesUntilItIsInterruptedAndGoesOnAfterARestart) {
  Upload("s1", "#error one\n");
  const auto stop_with = [this](int signal, const std::function<void()>& meanwhile) {
    return RunProgram(Command({}), {}, [&](int pid) {
      meanwhile();
      kill(pid, signal);
    });
  };
  const ProgramResult first = stop_with(SIGINT, [this] {
    WaitUntil([this] { return HasResult(".s1.json.key"); });
    folder_.Write("uploads/.half", "");
    folder_.Write("elsewhere/lab2/v1_naive.cu", "#error two\n");
    fs::rename(folder_.Path("elsewhere"), folder_.Path("uploads/s2"));
    WaitUntil([this] { return HasResult(".s2.json.key"); });
    Upload("s1", "#error one more\n");
    WaitUntil([this] { return ResultText("s1.json").find("one more") != std::string::npos; });
  });
  EXPECT_EQ(first.exit_code, 130);
  EXPECT_THAT(first.out, HasSubstr("interrupted; run the same command again to go on\n"));
  Upload("s3", "#error three\n");
  const ProgramResult second = stop_with(SIGTERM, [this] { WaitUntil([this] { return HasResult(".s3.json.key"); }); });
  EXPECT_EQ(second.exit_code, 130);
  EXPECT_THAT(second.out, HasSubstr(" s3: 0/9 points\n"));
  EXPECT_THAT(second.out, Not(HasSubstr(" s1: ")));
  EXPECT_THAT(second.out, Not(HasSubstr(" s2: ")));
}

// A student's upload is graded to its end.
TEST_F(InboxCommandTest, AnInterruptionWaitsForTheSubmissionThatIsGraded) {
  Upload("s1", ReadText(SourcePath("solutions/lab2/v1_naive.cu")));
  const ProgramResult result = RunProgram(Command({"--no-cache"}), {}, [this](int pid) {
    // The results folder is made before the first submission is taken, and this one takes a compiler run.
    WaitUntil([this] { return fs::exists(folder_.Path("results")); });
    std::this_thread::sleep_for(std::chrono::milliseconds(600));
    kill(pid, SIGINT);
  });
  EXPECT_EQ(result.exit_code, 130);
  const bool is_whole = !HasResult("s1.json") || ResultText("s1.json").find("\"points\": 9") != std::string::npos;
  EXPECT_TRUE(is_whole) << result.out << result.err;
}

TEST_F(InboxCommandTest, AChangeOfCourseYamlReachesARunningInbox) {
  Upload("s1", "#error one\n");
  const ProgramResult result = RunProgram(Command({}), {}, [this](int pid) {
    WaitUntil([this] { return HasResult(".s1.json.key"); });
    WriteCourse("correctness: 7");
    WaitUntil([this] { return ResultText("s1.json").find("\"max_points\": 7") != std::string::npos; });
    kill(pid, SIGINT);
  });
  EXPECT_EQ(result.exit_code, 130);
}

TEST_F(InboxCommandTest, MistakesOnTheCommandLineAreNamed) {
  const auto error = [](const std::vector<std::string>& command) {
    const ProgramResult result = RunProgram(command);
    EXPECT_EQ(result.exit_code, 2);
    return result.err;
  };
  EXPECT_THAT(error(Command({"--lab", "lab77"})), HasSubstr("there is no lab 'lab77'"));
  EXPECT_THAT(error(Command({"--format", "csv"})), HasSubstr("there is no format 'csv'"));
  std::vector<std::string> inside = Command({});
  inside[4] = folder_.Path("uploads/results");
  EXPECT_THAT(error(inside), HasSubstr("lies in the inbox"));
  EXPECT_FALSE(fs::exists(folder_.Path("uploads/results")));
  std::vector<std::string> nowhere = Command({});
  nowhere[2] = folder_.Path("nowhere");
  EXPECT_THAT(error(nowhere), HasSubstr("nowhere: there is no such folder"));
  EXPECT_THAT(RunProgram({WARPGRADE_BINARY, "inbox", "--help"}).out, HasSubstr("Examples:\n  warpgrade inbox"));
}

}  // namespace
}  // namespace warpgrade
