// A disk without space, and an output that cannot be written: nobody's marks change, and what is wrong is said.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <regex>

#include "tests/course/graded.h"

namespace warpgrade::faults {
namespace {

namespace fs = std::filesystem;
using testing::HasSubstr;
using testing::Not;

// Runs its arguments, from the third on, where $1 is a disk of $2 kilobytes. What was in it is in it again.
constexpr char kOnSmallDisk[] = R"(
  disk=$1; size=$2; shift 2
  cp -a "$disk" "$disk.copy" && mount -t tmpfs -o "size=${size}k" none "$disk" && cp -a "$disk.copy/." "$disk"
  "$@"; code=$?
  echo "left on the disk:" $(cd "$disk" && find . -type f) >&2
  cat "$disk"/results.json >&2 2>/dev/null
  exit $code)";

class DiskFullTest : public testing::Test {
 protected:
  void SetUp() override {
    for (const char* name : {"disk", "tmp", "cache"}) fs::create_directories(folder_.Path(name));
    folder_.Write("s1/lab1/v1_interleaved_modulo.cu", ReadText(SourcePath("solutions/lab1/v1_interleaved_modulo.cu")));
  }

  static bool CanMount() {
    return RunProgram({"unshare", "--user", "--map-root-user", "--mount", "mount", "-t", "tmpfs", "none", "/mnt"})
               .exit_code == 0;
  }

  std::vector<std::string> Grading(const std::vector<std::string>& more) const {
    std::vector<std::string> command = {WARPGRADE_BINARY, "grade", folder_.Path("s1"), "--device", "emulator",
                                        "--lab",          "lab1",  "--rung",           "v1"};
    command.insert(command.end(), more.begin(), more.end());
    return command;
  }

  // The folder "disk" holds `kilobytes`.
  ProgramResult RunOnSmallDisk(int kilobytes, std::vector<std::string> command, std::string tmp, std::string cache) {
    std::vector<std::string> whole = {"unshare",
                                      "--user",
                                      "--map-root-user",
                                      "--mount",
                                      "sh",
                                      "-c",
                                      kOnSmallDisk,
                                      "sh",
                                      folder_.Path("disk"),
                                      std::to_string(kilobytes)};
    whole.insert(whole.end(), command.begin(), command.end());
    return RunProgram(whole, {"TMPDIR=" + folder_.Path(tmp), "XDG_CACHE_HOME=" + folder_.Path(cache)});
  }

  const TemporaryFolder folder_;
};

TEST_F(DiskFullTest, AReportThatDoesNotFitLeavesTheOldOneAndSaysSo) {
  if (!CanMount()) GTEST_SKIP() << "skipped: no user namespaces";
  folder_.Write("disk/results.json", "an old report" + std::string(7000, ' '));  // fills the disk
  const ProgramResult result =
      RunOnSmallDisk(8, Grading({"--json", folder_.Path("disk/results.json")}), "tmp", "cache");
  EXPECT_EQ(result.exit_code, 3);
  EXPECT_THAT(result.err, HasSubstr("results.json: cannot be written: No space left on device; check the folder"));
  EXPECT_THAT(result.err, HasSubstr("left on the disk: ./results.json\n"));
  EXPECT_THAT(result.err, HasSubstr("old report"));
  EXPECT_THAT(result.out, HasSubstr("v1_interleaved_modulo")) << "what was graded is printed all the same";
}

TEST_F(DiskFullTest, ACacheThatIsFullCostsNothing) {
  if (!CanMount()) GTEST_SKIP() << "skipped: no user namespaces";
  const ProgramResult result = RunOnSmallDisk(16, Grading({}), "tmp", "disk");
  EXPECT_EQ(result.exit_code, 0) << result.err;
  EXPECT_THAT(result.out, HasSubstr("ok "));
  // What a compiler says about itself fits; an executable does not. No part of one is left, under no other name.
  const std::regex whole("left on the disk:( \\./warpgrade/rungs/[0-9a-f]{2}/[0-9a-f]{64})*\n");
  EXPECT_TRUE(std::regex_search(result.err, whole)) << result.err;
}

TEST_F(DiskFullTest, NoRoomToCompileInIsTheMachinesFaultAndNotTheStudents) {
  if (!CanMount()) GTEST_SKIP() << "skipped: no user namespaces";
  for (const int kilobytes : {16, 64, 256, 1024, 2048}) {
    SCOPED_TRACE(std::to_string(kilobytes) + " KB");
    const ProgramResult result = RunOnSmallDisk(kilobytes, Grading({"--no-cache"}), "disk", "cache");
    EXPECT_EQ(result.exit_code, 3) << result.out;
    EXPECT_THAT(result.err, HasSubstr("TMPDIR"));
    EXPECT_THAT(result.out, Not(HasSubstr("does not compile")));
    EXPECT_THAT(result.err, HasSubstr("left on the disk:\n"));
  }
}

// Grades into a gradebook on the disk, grades something else when there is no room for it, and prints what is left.
constexpr char kBatchTwice[] = R"(
  disk=$1; hand_in=$2; change=$3; shift 3
  "$@" >/dev/null || exit 99
  cp "$change" "$hand_in"
  $SPOIL
  "$@"; code=$?
  "$1" export "$disk"/marks.db --format csv; echo
  "$1" book history "$disk"/marks.db s1
  exit $code)";

class GradebookDiskTest : public DiskFullTest {
 protected:
  // `spoil` is a shell command that knows $disk.
  ProgramResult BatchTwice(const std::string& spoil) {
    const std::string hand_in = "class/s1/lab1/v1_interleaved_modulo.cu";
    folder_.Write(hand_in, ReadText(SourcePath("solutions/lab1/v1_interleaved_modulo.cu")));
    const std::string change = folder_.Write("change.cu", "int x = ;\n" + std::string(100'000, ' '));
    std::string script = kBatchTwice;
    script.replace(script.find("$SPOIL"), 6, spoil);
    return RunOnSmallDisk(
        1024,
        {"sh", "-c", script, "sh", folder_.Path("disk"), folder_.Path(hand_in), change, WARPGRADE_BINARY, "batch",
         folder_.Path("class"), "--device", "emulator", "--lab", "lab1", "--gradebook", folder_.Path("disk/marks.db")},
        "tmp", "cache");
  }
};

TEST_F(GradebookDiskTest, AGradebookOnAFullDiskLosesNothing) {
  if (!CanMount()) GTEST_SKIP() << "skipped: no user namespaces";
  const ProgramResult result = BatchTwice("dd if=/dev/zero of=$disk/full bs=1k 2>/dev/null");
  EXPECT_EQ(result.exit_code, 3) << result.out << result.err;
  EXPECT_THAT(result.err, HasSubstr("marks.db: cannot be written, because the disk is full; make room"));
  EXPECT_THAT(result.out, HasSubstr("\ns1,")) << "the marks from before are there";
  EXPECT_THAT(result.out, HasSubstr("lab1  1  "));
}

TEST_F(GradebookDiskTest, AGradebookThatMayOnlyBeReadIsReadAndNotWritten) {
  if (!CanMount()) GTEST_SKIP() << "skipped: no user namespaces";
  const ProgramResult result = BatchTwice("mount -o remount,ro $disk");
  EXPECT_EQ(result.exit_code, 3) << result.out << result.err;
  EXPECT_THAT(result.err, HasSubstr("marks.db: cannot be"));
  EXPECT_THAT(result.out, HasSubstr("\ns1,"));
  EXPECT_THAT(result.out, HasSubstr("lab1  1  "));
}

TEST_F(DiskFullTest, AnOutputThatIsFullSaysSoAndTheReportsAreWritten) {
  const std::string json = folder_.Path("results.json");
  std::vector<std::string> command = {"sh", "-c", "\"$@\" >/dev/full", "sh"};
  for (const std::string& word : Grading({"--json", json})) command.push_back(word);
  const ProgramResult result = RunProgram(command, {"XDG_CACHE_HOME=" + folder_.Path("cache")});
  EXPECT_EQ(result.exit_code, 3);
  EXPECT_THAT(result.err, HasSubstr("No space left on device"));
  EXPECT_TRUE(fs::exists(json));
}

TEST_F(DiskFullTest, AnOutputThatNobodyReadsKeepsNobodyFromTheReports) {
  const std::string json = folder_.Path("results.json");
  std::vector<std::string> command = {"sh", "-c", "\"$@\" | true", "sh"};
  for (const std::string& word : Grading({"--json", json})) command.push_back(word);
  RunProgram(command, {"XDG_CACHE_HOME=" + folder_.Path("cache")});
  EXPECT_TRUE(fs::exists(json));
}

}  // namespace
}  // namespace warpgrade::faults
