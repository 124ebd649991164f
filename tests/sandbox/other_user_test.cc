// What a program can do where no namespace can be made, so that only its user and the filter confine it.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>

#include "grader/sandbox/confinement.h"
#include "grader/sandbox/process.h"

namespace warpgrade::sandbox {
namespace {

namespace fs = std::filesystem;
using ::testing::HasSubstr;

class OtherUserTest : public testing::Test {
 protected:
  void SetUp() override {
    if (geteuid() != 0) GTEST_SKIP() << "skipped: only root can run programs as another user";
    const Status works = CheckOtherUser();
    ASSERT_TRUE(works.ok()) << works.error().message;
    std::string name = (fs::temp_directory_path() / "other_user_XXXXXX").string();
    ASSERT_NE(mkdtemp(name.data()), nullptr);
    folder_ = name;
    ASSERT_EQ(chmod(folder_.c_str(), 0755), 0);
    std::ofstream(folder_ / "secret") << "the expected answer";
    fs::permissions(folder_ / "secret", fs::perms(0600));
    std::ofstream(folder_ / "public") << "a header";
    options_.environment = {"PATH=/usr/bin:/bin"};
    options_.confinement.emplace();
    options_.confinement->namespaces = false;
  }
  void TearDown() override {
    if (!folder_.empty()) fs::remove_all(folder_);
  }
  ProcessResult Shell(const std::string& script) {
    options_.argv = {"/bin/sh", "-c", script};
    const Result<ProcessResult> result = RunProcess(options_);
    EXPECT_TRUE(result.ok()) << result.error().message;
    return result ? *result : ProcessResult();
  }

  fs::path folder_;
  ProcessOptions options_;
};

TEST_F(OtherUserTest, TheProgramIsNotRootAndCannotBecomeIt) {
  EXPECT_EQ(Shell("echo $(id -u) $(id -g) $(id -G)").output, "65533 65533 65533\n");
  const ProcessResult status = Shell("grep -E 'NoNewPrivs|Seccomp:|Cap(Prm|Eff|Amb)' /proc/self/status");
  EXPECT_EQ(status.output,
            "CapPrm:\t0000000000000000\nCapEff:\t0000000000000000\n"
            "CapAmb:\t0000000000000000\nNoNewPrivs:\t1\nSeccomp:\t2\n");
  EXPECT_NE(Shell("setpriv --reuid 0 true").exit_code, 0);
}

TEST_F(OtherUserTest, FilesOfRootAreNotForIt) {
  EXPECT_EQ(Shell("cat " + (folder_ / "public").string()).output, "a header");
  EXPECT_THAT(Shell("cat " + (folder_ / "secret").string()).output, HasSubstr("Permission denied"));
  EXPECT_NE(Shell("echo x > " + (folder_ / "public").string()).exit_code, 0);
  EXPECT_NE(Shell("echo x > " + (folder_ / "new").string()).exit_code, 0);
}

TEST_F(OtherUserTest, AFolderThatIsLentToItCanBeWritten) {
  fs::create_directory(folder_ / "work");
  options_.confinement->writable = {(folder_ / "work").string()};
  EXPECT_EQ(Shell("echo made > " + (folder_ / "work/new").string()).exit_code, 0);
  EXPECT_TRUE(fs::exists(folder_ / "work/new"));
}

// The machine's own /tmp: a later program would find what is there.
TEST_F(OtherUserTest, NothingIsLeftWhereEverybodyMayWrite) {
  for (const std::string folder : {"/tmp", "/var/tmp", "/dev/shm"}) {
    const std::string file = folder + "/other_user_test_" + std::to_string(getpid());
    EXPECT_NE(Shell("echo x > " + file).exit_code, 0) << file;
    EXPECT_NE(Shell("mkdir " + file).exit_code, 0) << file;
    EXPECT_NE(Shell("ln -s x " + file).exit_code, 0) << file;
    EXPECT_FALSE(fs::exists(fs::symlink_status(file))) << file;
    fs::remove(file);
  }
}

TEST_F(OtherUserTest, SocketsAndSignalsToOthersAreRefused) {
  options_.argv = {"/usr/bin/env", "python3", "-c", R"(
import os, socket
try:
    socket.socket()
    print('socket')
except OSError: pass
end, begin = os.pipe()
child = os.fork()
if child == 0:
    os.close(begin)
    os.read(end, 1)
    os._exit(0)
try:
    os.kill(child, 18)
    print('signal')
except PermissionError: print('refused')
os.close(begin)
os.wait()
os.kill(os.getpid(), 0)
print('done')
)"};
  const Result<ProcessResult> result = RunProcess(options_);
  ASSERT_TRUE(result.ok());
  EXPECT_EQ(result->output, "refused\ndone\n");
}

TEST_F(OtherUserTest, TheLimitsHoldAsElsewhere) {
  options_.limits.wall_ms = 300;
  EXPECT_TRUE(Shell("sleep 100").timed_out);
  options_.limits = {};
  options_.limits.file_bytes = 1000;
  fs::create_directory(folder_ / "work");
  options_.confinement->writable = {(folder_ / "work").string()};
  const std::string makes = "cd " + (folder_ / "work").string() + " && head -c ";
  EXPECT_EQ(Shell(makes + "900 /dev/zero > few").exit_code, 0);
  EXPECT_NE(Shell(makes + "2000 /dev/zero > many").exit_code, 0);
}

TEST_F(OtherUserTest, ASignalThatEndsItIsReported) { EXPECT_EQ(Shell("kill -SEGV $$").signal, SIGSEGV); }

}  // namespace
}  // namespace warpgrade::sandbox
