// A bubblewrap that fails for one worker in the middle of a grading costs no student anything, and is no way out of it.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>

#include "tests/course/graded.h"

namespace warpgrade::faults {
namespace {

namespace fs = std::filesystem;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;

// $1 takes the place of bubblewrap, for what follows.
constexpr char kWithOtherBubblewrap[] = "mount --bind \"$1\" /usr/bin/bwrap && shift && exec \"$@\"";

class FailingSandboxTest : public testing::Test {
 protected:
  void SetUp() override {
    fs::copy_file("/usr/bin/bwrap", folder_.Path("real_bwrap"));
    folder_.Write("class/s1/lab2/v1_naive.cu", ReadText(SourcePath("solutions/lab2/v1_naive.cu")));
    if (RunWith("exec true", {"true"}).exit_code != 0) GTEST_SKIP() << "skipped: no user namespaces";
  }

  // Runs `command` with a bubblewrap that runs `before_worker` first where it is to confine a worker.
  ProgramResult RunWith(const std::string& before_worker, const std::vector<std::string>& command) const {
    const std::string bubblewrap =
        folder_.Write("bwrap", "#!/bin/sh\nif [ -n \"$WARPGRADE_CONTROL_FD\" ]; then " + before_worker +
                                   "\nfi\nexec '" + folder_.Path("real_bwrap") + "' \"$@\"\n");
    fs::permissions(bubblewrap, fs::perms::owner_all);
    std::vector<std::string> whole = {
        "unshare", "--user", "--map-root-user", "--mount", "sh", "-c", kWithOtherBubblewrap, "sh", bubblewrap};
    whole.insert(whole.end(), command.begin(), command.end());
    return RunProgram(whole);
  }

  ProgramResult GradeWith(const std::string& before_worker) const {
    return RunWith(before_worker, {WARPGRADE_BINARY, "grade", folder_.Path("class"), "--device", "emulator", "--lab",
                                   "lab2", "--rung", "v1", "--json", folder_.Path("results.json")});
  }

  std::string Fails(const std::string& words) const { return "echo 'bwrap: " + words + "' >&2; exit 1;"; }

  const TemporaryFolder folder_;
};

TEST_F(FailingSandboxTest, OnceCostsNothing) {
  const ProgramResult result = GradeWith("mkdir '" + folder_.Path("failed") + "' 2>/dev/null && { " +
                                         Fails("Creating new namespace failed") + " }");
  EXPECT_TRUE(fs::exists(folder_.Path("failed"))) << "it was not asked to fail";
  EXPECT_EQ(result.exit_code, 0) << result.err;
  EXPECT_THAT(result.out, HasSubstr("ok "));
}

TEST_F(FailingSandboxTest, AlwaysLeavesTheRungUngradedAndSaysWhatToDo) {
  const ProgramResult result = GradeWith(Fails("Creating new namespace failed"));
  EXPECT_EQ(result.exit_code, 3) << result.out;
  EXPECT_THAT(result.err, HasSubstr("bubblewrap failed: bwrap: Creating new namespace failed. Grade again"));
  EXPECT_THAT(result.err, HasSubstr("the machine failed, so some rungs are not graded"));
  EXPECT_THAT(result.out, Not(HasSubstr("CRASHED")));
  const nlohmann::json report = nlohmann::json::parse(ReadText(folder_.Path("results.json")));
  const nlohmann::json& submission = report.at("submissions").at(0);
  EXPECT_THAT(submission.at("labs"), IsEmpty()) << "no mark is better than a wrong one";
  EXPECT_THAT(submission.at("unfinished").at(0).at("reason"), HasSubstr("bubblewrap failed"));
}

// Only a bubblewrap that works for nothing at all is a reason. Otherwise a program could make its sandbox fail.
TEST_F(FailingSandboxTest, IsNoReasonForCheckToGoOnWithoutIt) {
  const ProgramResult result = RunWith(
      Fails("Creating new namespace failed"),
      {WARPGRADE_BINARY, "check", "lab2", "v1", "--submission", folder_.Path("class/s1"), "--device", "emulator"});
  EXPECT_EQ(result.exit_code, 3) << result.out;
  EXPECT_THAT(result.err, HasSubstr("bubblewrap failed: bwrap: Creating new namespace failed"));
  EXPECT_THAT(result.err, Not(HasSubstr("with all your rights")));
}

}  // namespace
}  // namespace warpgrade::faults
