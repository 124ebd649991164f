// What a confined program can see, reach and do. Skipped, saying so, where bubblewrap does not work.
#include "grader/sandbox/confinement.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>

#include "grader/sandbox/process.h"
#include "grader/sandbox/process_tree.h"
#include "tests/sandbox/subject.h"

namespace warpgrade::sandbox {
namespace {

namespace fs = std::filesystem;
using ::testing::HasSubstr;
using ::testing::Not;
using ::testing::StartsWith;

// As a shell wants a path that may hold spaces.
std::string Quoted(const fs::path& path) {
  std::string quoted("'");
  quoted.append(path.string()).append("'");
  return quoted;
}

class ConfinementTest : public testing::Test {
 protected:
  void SetUp() override {
    const Status works = CheckConfinement();
    if (!works.ok()) GTEST_SKIP() << "skipped: " << works.error().message;
    std::string name = (fs::temp_directory_path() / "confinement test XXXXXX").string();  // with spaces
    ASSERT_NE(mkdtemp(name.data()), nullptr);
    folder_ = name;
    ASSERT_EQ(chmod(folder_.c_str(), 0755), 0);  // programs of root run as another user
    std::ofstream(folder_ / "secret") << "the expected answer";
  }
  void TearDown() override {
    if (!folder_.empty()) fs::remove_all(folder_);
  }

  // What a shell says that runs `script` confined. `options_` is what it starts from.
  ProcessResult Shell(const std::string& script) {
    options_.argv = {"/bin/sh", "-c", script};
    return Run();
  }
  ProcessResult Run() {
    if (!options_.confinement) options_.confinement.emplace();
    const Result<ProcessResult> result = RunProcess(options_);
    EXPECT_TRUE(result.ok()) << result.error().message;
    return result ? *result : ProcessResult();
  }
  Confinement& confinement() {
    if (!options_.confinement) options_.confinement.emplace();
    return *options_.confinement;
  }

  fs::path folder_;
  ProcessOptions options_;
};

TEST_F(ConfinementTest, AFileThatIsNotListedIsNotThere) {
  const ProcessResult result = Shell("cat " + Quoted(folder_ / "secret"));
  EXPECT_NE(result.exit_code, 0);
  EXPECT_THAT(result.output, HasSubstr("No such file"));
}

TEST_F(ConfinementTest, TheHomesTheSystemsSecretsAndOtherTemporaryFilesAreNotThere) {
  const ProcessResult result = Shell("ls /root /home /etc/shadow /etc/passwd /var /run /mnt /srv; ls -A /tmp; ls -A /");
  EXPECT_THAT(result.output, Not(HasSubstr("/etc/shadow\n")));
  for (const char* gone : {"/root", "/home", "/etc/shadow", "/etc/passwd", "/var", "/run"}) {
    EXPECT_THAT(result.output, HasSubstr(std::string(gone) + "': No such file")) << gone;
  }
  EXPECT_THAT(result.output, Not(HasSubstr("confinement test")));
}

TEST_F(ConfinementTest, WhatIsListedCanBeReadAndNotChanged) {
  confinement().read_only = {folder_.string()};
  const std::string secret = Quoted(folder_ / "secret");
  const ProcessResult result = Shell("cat " + secret + "; echo mine > " + secret);
  EXPECT_THAT(result.output, StartsWith("the expected answer"));
  EXPECT_THAT(result.output, HasSubstr("Read-only file system"));
}

TEST_F(ConfinementTest, WhatIsListedByALinkIsThereByThatNameAndByItsOwn) {
  fs::create_symlink(folder_ / "secret", folder_ / "link");
  confinement().read_only = {(folder_ / "link").string()};
  EXPECT_EQ(Shell("cat " + Quoted(folder_ / "link") + " " + Quoted(folder_ / "secret")).output,
            "the expected answerthe expected answer");
}

TEST_F(ConfinementTest, WhatIsWritableIsWrittenOutsideToo) {
  confinement().writable = {folder_.string()};
  options_.working_directory = folder_.string();
  EXPECT_TRUE(Shell("pwd; echo done > made").succeeded());
  EXPECT_TRUE(fs::exists(folder_ / "made"));
}

TEST_F(ConfinementTest, AHiddenFolderIsEmptyEvenInsideOneThatIsListed) {
  fs::create_directory(folder_ / "solutions");
  std::ofstream(folder_ / "solutions" / "v1.cu") << "answer";
  confinement().read_only = {folder_.string()};
  confinement().hidden = {(folder_ / "solutions").string(), (folder_ / "not there").string()};
  const ProcessResult result = Shell("cd " + Quoted(folder_) + " && ls && ls -A solutions && touch solutions/x");
  EXPECT_THAT(result.output, HasSubstr("secret\nsolutions\n"));
  EXPECT_THAT(result.output, Not(HasSubstr("v1.cu")));
  EXPECT_THAT(result.output, HasSubstr("Read-only file system"));
}

TEST_F(ConfinementTest, TheSystemCannotBeWrittenTo) {
  const ProcessResult result = Shell("touch /usr/x /usr/lib/x /x /etc/x /dev/x 2>&1; ls -A /dev/shm; exit 0");
  for (const char* place : {"/usr/x", "/usr/lib/x", "'/x'", "/etc/x"}) EXPECT_THAT(result.output, HasSubstr(place));
  EXPECT_FALSE(fs::exists("/usr/x"));
}

TEST_F(ConfinementTest, ItsTemporaryFolderIsItsOwnAndSmall) {
  const ProcessResult result =
      Shell("echo hello > /tmp/mine && cat /tmp/mine && head -c 30000000 /dev/zero > /tmp/large");
  EXPECT_THAT(result.output, StartsWith("hello"));
  EXPECT_THAT(result.output, HasSubstr("No space left"));
  EXPECT_FALSE(fs::exists("/tmp/mine"));
}

TEST_F(ConfinementTest, SharedMemoryFilesAreSmallAndItsDevFolderTakesNone) {
  const ProcessResult result = Shell(
      "echo hello > /dev/shm/mine && cat /dev/shm/mine; head -c 30000000 /dev/zero > /dev/shm/large; "
      "echo x > /dev/other; echo y > /dev/null && echo null works");
  EXPECT_THAT(result.output, HasSubstr("hello"));
  EXPECT_THAT(result.output, HasSubstr("No space left"));
  EXPECT_THAT(result.output, HasSubstr("/dev/other: Read-only"));
  EXPECT_THAT(result.output, HasSubstr("null works"));
}

TEST_F(ConfinementTest, ThereIsNoNetwork) {
  const ProcessResult result = Shell("tail -n +3 /proc/net/dev | cut -d: -f1; tail -n +2 /proc/net/route");
  std::string interfaces = result.output;
  std::erase_if(interfaces, [](char c) { return c == ' ' || c == '\n'; });
  EXPECT_TRUE(interfaces.empty() || interfaces == "lo") << result.output;
}

TEST_F(ConfinementTest, ItSeesNoProcessButItsOwn) {
  const ProcessResult result = Shell("for p in /proc/[0-9]*; do cat $p/comm; done");
  EXPECT_THAT(result.output, Not(HasSubstr("sandbox_test")));
  EXPECT_THAT(result.output, Not(HasSubstr("supervisor")));
}

TEST_F(ConfinementTest, ItHasNoCapabilities) {
  EXPECT_THAT(Shell("grep CapEff /proc/self/status").output, HasSubstr("0000000000000000"));
  EXPECT_THAT(Shell("grep CapBnd /proc/self/status").output, HasSubstr("0000000000000000"));
  EXPECT_THAT(Shell("grep NoNewPrivs /proc/self/status").output, HasSubstr("1"));
}

TEST_F(ConfinementTest, SystemCallsThatReachOutFail) {
  confinement().read_only = {SANDBOX_SUBJECT};
  options_.argv = {SANDBOX_SUBJECT, "try_to_reach_out", "7"};
  const int shared = memfd_create("shared", MFD_CLOEXEC);
  options_.inherited_fds = {{shared, 7}};
  const ProcessResult result = Run();
  close(shared);
  EXPECT_EQ(result.exit_code, 0);
  EXPECT_EQ(result.output,
            "ptrace 1\nprocess_vm_readv 1\nunshare 1\nmount 1\nbpf 1\nperf_event_open 1\nfallocate 0\npunch hole 1\n"
            "MADV_REMOVE 1\nMADV_PAGEOUT 1\nMADV_COLLAPSE 1\nMADV_DONTNEED 0\n")
      << "each call, and its errno: 1 is EPERM";
}

TEST_F(ConfinementTest, MemoryThatNoLimitCountsAndNewSocketsAreRefused) {
  confinement().read_only = {SANDBOX_SUBJECT};
  options_.argv = {SANDBOX_SUBJECT, "ask_for_what_is_not_counted"};
  const ProcessResult result = Run();
  EXPECT_EQ(result.exit_code, 0);
  EXPECT_EQ(result.output,
            "memfd_create 1\nmemfd_secret 1\nshmget 1\nmsgget 1\nsemget 1\nmq_open 1\nsocket 1\nsocketpair 1\n"
            "sendmsg 1\nsendmmsg 1\n")
      << "each call, and its errno: 1 is EPERM";
}

TEST_F(ConfinementTest, ItIsNeverRoot) {
  if (geteuid() != 0) GTEST_SKIP() << "skipped: only root can give up being root";
  ASSERT_EQ(chmod((folder_ / "secret").c_str(), 0600), 0);
  confinement().read_only = {folder_};
  const ProcessResult result =
      Shell("id -u; id -g; id -G; cat /proc/self/uid_map; grep -h CapPrm /proc/self/status; cat " +
            Quoted(folder_ / "secret") + "; : > /tmp/mine && : > /dev/shm/mine && echo wrote");
  EXPECT_THAT(result.output, StartsWith("65533\n65533\n65533\n"));
  EXPECT_THAT(result.output, testing::ContainsRegex("\n +0 +0 +4294967295\n")) << "not only in a namespace of its own";
  EXPECT_THAT(result.output, HasSubstr("CapPrm:\t0000000000000000"));
  EXPECT_THAT(result.output, HasSubstr("Permission denied"));
  EXPECT_THAT(result.output, Not(HasSubstr("the expected answer")));
  EXPECT_THAT(result.output, HasSubstr("wrote"));
}

TEST_F(ConfinementTest, AFolderThatItMayWriteStaysOurs) {
  ASSERT_EQ(chmod(folder_.c_str(), 0700), 0);
  confinement().writable = {folder_};
  const ProcessResult result = Shell("cd " + Quoted(folder_) + " && cat secret && echo theirs > theirs");
  EXPECT_EQ(result.output, "the expected answer");
  struct stat info;
  ASSERT_EQ(stat(folder_.c_str(), &info), 0);
  EXPECT_EQ(info.st_uid, geteuid());
  EXPECT_EQ(info.st_mode & 0007, 0u) << "nobody else gets in";
  EXPECT_TRUE(fs::exists(folder_ / "theirs"));
}

TEST_F(ConfinementTest, AFileOfRootThatItCouldNotReadIsNamedBeforeItStarts) {
  if (geteuid() != 0) GTEST_SKIP() << "skipped: only root's programs run as another user";
  ASSERT_EQ(chmod((folder_ / "secret").c_str(), 0600), 0);
  confinement().read_only = {folder_ / "secret"};
  options_.argv = {"/usr/bin/true"};
  const Result<Process> process = Process::Start(options_);
  ASSERT_FALSE(process.ok());
  EXPECT_THAT(process.error().message, HasSubstr("secret, which only its owner can read"));
}

// These belong to the user's number, so root's program could write them although it has no capability.
TEST_F(ConfinementTest, TheKernelsSettingsCannotBeWrittenEvenByRoot) {
  for (const bool own_processes : {true, false}) {
    confinement().own_processes = own_processes;
    const ProcessResult result = Shell(
        "for f in kernel/core_pattern fs/file-max vm/swappiness kernel/panic; do"
        "  if [ ! -e /proc/sys/$f ]; then echo $f is not there; elif (: >> /proc/sys/$f) 2> /dev/null; then"
        "  echo $f was opened; fi; done; echo end");
    EXPECT_EQ(result.output, "end\n") << (own_processes ? "own" : "shared") << " numbers";
  }
}

TEST_F(ConfinementTest, ItCannotReachTheSandboxsOwnProcess) {
  const ProcessResult result = Shell(
      "for f in mem maps environ fd/0 root task/1/mem; do (: < /proc/1/$f) 2> /dev/null && echo $f was opened; done; "
      "(: >> /proc/1/mem) 2> /dev/null && echo mem could be written; echo 1 > /proc/1/x && echo made; "
      "test -r /proc/self/maps && echo its own is there");
  EXPECT_THAT(result.output, Not(HasSubstr("was opened")));
  EXPECT_THAT(result.output, Not(HasSubstr("could be written")));
  EXPECT_THAT(result.output, Not(HasSubstr("made")));
  EXPECT_THAT(result.output, HasSubstr("its own is there"));
}

TEST_F(ConfinementTest, WithoutAProcessNamespaceOtherProcessesAreStillOutOfReach) {
  confinement().own_processes = false;
  const ProcessResult result = Shell("cat /proc/" + std::to_string(getpid()) + "/environ; kill -0 " +
                                     std::to_string(getpid()) + " && echo reached");
  EXPECT_THAT(result.output, HasSubstr("Permission denied"));
}

TEST_F(ConfinementTest, WithoutAProcessNamespaceItNamesItsThreadsAndLeavesTheKernelAlone) {
  confinement().own_processes = false;
  EXPECT_EQ(Shell("echo worker > /proc/self/comm && echo named").output, "named\n");
  EXPECT_THAT(Shell("echo 1 > /proc/sys/kernel/panic").output, HasSubstr("Read-only file system"));
}

TEST_F(ConfinementTest, NoDescriptorOfTheSandboxReachesIt) {
  for (const bool own_processes : {true, false}) {
    confinement().read_only = {SANDBOX_SUBJECT};
    confinement().own_processes = own_processes;
    options_.argv = {SANDBOX_SUBJECT, "descriptors"};
    EXPECT_EQ(Run().output, "0 /dev\n1 pipe\n2 pipe\n");
  }
}

TEST_F(ConfinementTest, ADescriptorThatIsPassedOnArrives) {
  int ends[2];
  ASSERT_EQ(pipe(ends), 0);
  options_.inherited_fds = {{ends[1], 5}};
  EXPECT_TRUE(Shell("echo hello >&5").succeeded());
  close(ends[1]);
  char text[16] = {};
  EXPECT_EQ(read(ends[0], text, sizeof text - 1), 6);
  EXPECT_STREQ(text, "hello\n");
  close(ends[0]);
}

TEST_F(ConfinementTest, ACrashIsTold) {
  EXPECT_EQ(Shell("kill -SEGV $$").signal, SIGSEGV);
  EXPECT_EQ(Shell("exit 3").exit_code, 3);
}

TEST_F(ConfinementTest, TheLimitOnProcessesIsTheProgramsOwn) {
  options_.limits.processes = 1;
  EXPECT_TRUE(Shell("exec sleep 0.1").succeeded());
  EXPECT_TRUE(Shell("sleep 5 & sleep 5 & wait").processes_exceeded);
}

TEST_F(ConfinementTest, NothingIsLeftAfterTheTimeLimit) {
  options_.limits.wall_ms = 300;
  EXPECT_TRUE(Shell("setsid sleep 100 & sleep 100").timed_out);
  EXPECT_TRUE(DescendantsOf(getpid(), 1000).empty());
}

TEST_F(ConfinementTest, PauseReachesIntoIt) {
  for (const bool own_processes : {true, false}) {
    const Counts counts;
    ProcessOptions options = counts.Subject();
    options.confinement.emplace().read_only = {SANDBOX_SUBJECT};
    options.confinement->own_processes = own_processes;
    Result<Process> process = Process::Start(options);
    ASSERT_TRUE(process.ok()) << process.error().message;
    counts.AwaitMore({});
    AwaitPause(*process);
    const std::array<uint64_t, 4> before = counts.Now();
    usleep(20'000);
    EXPECT_EQ(counts.Now(), before);
    process->Resume();
    counts.AwaitMore(before);
  }
}

TEST_F(ConfinementTest, AProgramOrAPathThatIsNotThereIsTheCallersMistake) {
  options_.argv = {"/nowhere/program"};
  confinement();
  Result<ProcessResult> result = RunProcess(options_);
  ASSERT_FALSE(result.ok());
  EXPECT_EQ(result.error().message, "cannot run /nowhere/program: No such file or directory");
  options_.argv = {"/bin/true"};
  confinement().read_only = {"/nowhere/data"};
  result = RunProcess(options_);
  ASSERT_FALSE(result.ok());
  EXPECT_THAT(result.error().message, HasSubstr("/nowhere/data: No such file"));
}

}  // namespace
}  // namespace warpgrade::sandbox
