// A disk without space, and an output that cannot be written: nobody's marks change, and what is wrong is said.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>

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
  EXPECT_THAT(result.err, HasSubstr("left on the disk:\n"));
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
