// System calls of the grader and of its judges that fail, as they do when a program of somebody else has used something
// up. No row is lost, no verdict is wrong, and what could not be graded is in every report with the reason.
//
// failing_calls.cc makes the calls fail.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cerrno>
#include <csignal>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <map>
#include <thread>

#include "tests/course/graded.h"

namespace warpgrade::faults {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;
using testing::HasSubstr;

struct Call {
  const char* name;
  int error;
};

class FailingCallsTest : public testing::Test {
 protected:
  void SetUp() override {
    for (const char* student : {"s1", "s2", "s3"}) {
      HandIn(student, ReadText(SourcePath("solutions/lab1/v1_interleaved_modulo.cu")));
    }
    for (const char* name : {"tmp", "cache"}) fs::create_directories(folder_.Path(name));
    // LD_PRELOAD takes a space for the end of a path, and the build folder may have one in its path.
    fs::copy_file(FAILING_CALLS_LIBRARY, folder_.Path("failing_calls.so"));
    ASSERT_EQ(Grade({}, {}).exit_code, 0) << "from now on the rungs are in the cache";
  }

  void HandIn(const std::string& student, const std::string& text) {
    folder_.Write("class/" + student + "/lab1/v1_interleaved_modulo.cu", text);
  }

  ProgramResult Grade(const std::vector<std::string>& more, std::vector<std::string> environment,
                      const std::function<void(int pid)>& meanwhile = nullptr) {
    fs::remove(folder_.Path("results.json"));
    std::vector<std::string> command = {WARPGRADE_BINARY,
                                        "grade",
                                        folder_.Path("class"),
                                        "--device",
                                        "emulator",
                                        "--lab",
                                        "lab1",
                                        "--rung",
                                        "v1",
                                        "--json",
                                        folder_.Path("results.json"),
                                        "--csv",
                                        folder_.Path("results.csv"),
                                        "--junit",
                                        folder_.Path("results.xml")};
    command.insert(command.end(), more.begin(), more.end());
    environment.push_back("TMPDIR=" + folder_.Path("tmp"));
    environment.push_back("XDG_CACHE_HOME=" + folder_.Path("cache"));
    return RunProgram(command, environment, meanwhile);
  }

  // `times` calls fail, those of judges only if `only_judges`.
  ProgramResult GradeWithFailing(const Call& call, int times, bool only_judges,
                                 const std::vector<std::string>& more = {}) {
    fs::remove_all(folder_.Path("tickets"));
    fs::create_directories(folder_.Path("tickets"));
    for (int i = 0; i < times; ++i) std::ofstream(folder_.Path("tickets/" + std::to_string(i)));
    std::vector<std::string> environment = {
        "LD_PRELOAD=" + folder_.Path("failing_calls.so"),
        std::string("WARPGRADE_FAIL=") + call.name + ":" + std::to_string(call.error),
        "WARPGRADE_FAIL_IN=" + folder_.Path("tickets")};
    if (only_judges) environment.push_back("WARPGRADE_FAIL_ONLY=judge");
    return Grade(more, environment);
  }

  // The status of each student's rung, or "not finished".
  std::map<std::string, std::string> Statuses() {
    std::map<std::string, std::string> statuses;
    const json report = json::parse(ReadText(folder_.Path("results.json")), nullptr, false);
    if (report.is_discarded()) return statuses;
    for (const json& submission : report.at("submissions")) {
      std::string& status = statuses[submission.at("id")];
      for (const json& lab : submission.at("labs")) status = lab.at("rungs").at(0).at("status");
      if (!submission.at("finished")) status = "not finished";
    }
    return statuses;
  }

  static std::map<std::string, std::string> AllPassed() {
    return {{"s1", "passed"}, {"s2", "passed"}, {"s3", "passed"}};
  }

  const TemporaryFolder folder_;
};

// Every call that the grader or a judge makes for a rung and that the machine may refuse.
constexpr Call kCalls[] = {{"memfd_create", EMFILE}, {"memfd_create", ENFILE}, {"socketpair", ENFILE},
                           {"pipe2", ENFILE},        {"send", ENOBUFS},        {"pwrite", ENOSPC},
                           {"posix_spawn", EAGAIN},  {"posix_spawn", ENOMEM},  {"pthread_create", EAGAIN},
                           {"sendmsg", ETOOMANYREFS}};

TEST_F(FailingCallsTest, OneFailureOfTheGraderCostsNothing) {
  for (const Call& call : kCalls) {
    SCOPED_TRACE(std::string(call.name) + ": " + std::strerror(call.error));
    const ProgramResult result = GradeWithFailing(call, 1, false);
    EXPECT_EQ(result.exit_code, 0) << result.err;
    EXPECT_EQ(Statuses(), AllPassed()) << result.out;
    EXPECT_TRUE(fs::is_empty(folder_.Path("tickets"))) << "no such call was made";
  }
}

TEST_F(FailingCallsTest, OneFailureOfAJudgeCostsNothing) {
  for (const Call& call : kCalls) {
    SCOPED_TRACE(std::string(call.name) + ": " + std::strerror(call.error));
    const ProgramResult result = GradeWithFailing(call, 1, true);
    EXPECT_EQ(result.exit_code, 0) << result.err;
    EXPECT_EQ(Statuses(), AllPassed()) << result.out;
    EXPECT_TRUE(fs::is_empty(folder_.Path("tickets"))) << "no such call was made";
  }
}

TEST_F(FailingCallsTest, AFailureThatStaysIsInEveryReportWithTheReason) {
  const ProgramResult result = GradeWithFailing({"socketpair", ENFILE}, 1000, true);
  EXPECT_EQ(result.exit_code, 3);
  EXPECT_THAT(result.err, HasSubstr("Too many open files in system"));
  for (const auto& [student, status] : Statuses()) EXPECT_EQ(status, "not finished") << student;
  EXPECT_EQ(Statuses().size(), 3u);
  for (const char* file : {"results.json", "results.csv", "results.xml"}) {
    const std::string text = ReadText(folder_.Path(file));
    for (const char* what : {"s1", "s2", "s3", "Too many open files in system"}) EXPECT_THAT(text, HasSubstr(what));
  }
  EXPECT_THAT(result.out, HasSubstr("NOT FINISHED: lab1.v1_interleaved_modulo: "));
}

// Where there is no sandbox, a worker can use up the descriptors on their way through sockets.
TEST_F(FailingCallsTest, WithoutASandboxDescriptorsThatCannotBeSentCostNothing) {
  const ProgramResult result = GradeWithFailing({"sendmsg", ETOOMANYREFS}, 3, true, {"--sandbox", "none"});
  EXPECT_EQ(result.exit_code, 0) << result.err;
  EXPECT_EQ(Statuses(), AllPassed()) << result.out;
}

TEST_F(FailingCallsTest, TooFewDescriptorsAreNoFaultOfBubblewrap) {
  for (const char* most : {"6", "12", "20", "60"}) {
    SCOPED_TRACE(most);
    const ProgramResult result = RunProgram({"prlimit", std::string("--nofile=") + most, WARPGRADE_BINARY, "grade",
                                             folder_.Path("class"), "--device", "emulator", "--lab", "lab1"});
    EXPECT_EQ(result.exit_code, 3);
    EXPECT_THAT(result.err, HasSubstr("no program can be started in a sandbox at the moment: "));
    EXPECT_THAT(result.err, HasSubstr("Too many open files. The machine has run out of what this names"));
  }
}

TEST_F(FailingCallsTest, AGraderThatIsKilledLeavesWhatWasFinishedAndNamesTheRest) {
  HandIn("s3", ReadText(SourcePath("solutions/lab1/v1_interleaved_modulo.cu")) +
                   "static int Stay() { volatile bool b = true; while (b) {} return 0; }\n"
                   "static int stays = Stay();\n");
  const std::string report = folder_.Path("results.json");
  const ProgramResult result = Grade({"--jobs", "1"}, {}, [&](int pid) {
    // s1 is finished; after it or after s2 the report is written, and s3 does not end before its limit.
    while (!fs::exists(report) && fs::exists("/proc/" + std::to_string(pid) + "/exe")) {
      std::this_thread::sleep_for(std::chrono::milliseconds(5));
    }
    kill(pid, SIGKILL);
  });
  EXPECT_EQ(result.exit_code, 128 + SIGKILL);
  EXPECT_EQ(Statuses()["s1"], "passed");
  EXPECT_EQ(Statuses()["s3"], "not finished");
  EXPECT_THAT(ReadText(folder_.Path("results.json")), HasSubstr("grading was still going on when this report"));
}

}  // namespace
}  // namespace warpgrade::faults
