// Kills `warpgrade batch` at random moments and starts it again, until the class is graded: the marks are those of a
// batch that nobody disturbed, byte for byte.
//
// WARPGRADE_FAULTS=20 says how often it is killed (a few times otherwise), WARPGRADE_FAULTS_SEED=N which moments are
// drawn; the seed is printed.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/prctl.h>

#include <chrono>
#include <csignal>
#include <cstdlib>
#include <filesystem>
#include <iostream>
#include <random>
#include <thread>

#include "tests/course/graded.h"
#include "tests/faults/victims.h"

namespace warpgrade::faults {
namespace {

namespace fs = std::filesystem;
using Clock = std::chrono::steady_clock;
using testing::HasSubstr;

constexpr char kBatchLab[] = "lab1";
constexpr char kBatchRung[] = "v1_interleaved_modulo";
constexpr int kFewKills = 4;
constexpr std::chrono::seconds kLongestFarewell{20};  // of processes whose grader was killed, on a busy machine

int EnvironmentNumber(const char* variable, int otherwise) {
  const char* text = std::getenv(variable);
  return text == nullptr ? otherwise : std::atoi(text);
}

class BatchKillsTest : public testing::Test {
 protected:
  void SetUp() override {
    ASSERT_EQ(prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0), 0);  // what outlives a killed grader comes to us
    const std::string right = ReadText(SourcePath("solutions/lab1/v1_interleaved_modulo.cu"));
    for (const char* student : {"s1", "s2", "s3"}) HandIn(student, right);
    HandIn("s4", MutantText(kBatchLab, "v1_interleaved_modulo__tail_dropped"));
    HandIn("s5", ReadText(SourcePath("starter/lab1/v1_interleaved_modulo.cu")));
    HandIn("s6", "int x = ;\n");
    for (const char* name : {"tmp", "cache"}) fs::create_directories(folder_.Path(name));
  }

  void HandIn(const std::string& student, const std::string& text) {
    folder_.Write("class/" + student + "/" + kBatchLab + "/" + kBatchRung + ".cu", text);
  }

  ProgramResult Batch(const std::string& gradebook, const std::function<void(int pid)>& disturb = nullptr) const {
    return RunProgram({WARPGRADE_BINARY, "batch", folder_.Path("class"), "--device", "emulator", "--lab", kBatchLab,
                       "--gradebook", folder_.Path(gradebook), "--jobs", "2"},
                      {"TMPDIR=" + folder_.Path("tmp"), "XDG_CACHE_HOME=" + folder_.Path("cache")}, disturb);
  }

  std::string MarksIn(const std::string& gradebook) const {
    const ProgramResult result = RunProgram({WARPGRADE_BINARY, "export", folder_.Path(gradebook), "--format", "csv"});
    EXPECT_EQ(result.exit_code, 0) << result.err;
    return result.out;
  }

  static void WaitForTheOrphans() {
    const Clock::time_point deadline = Clock::now() + kLongestFarewell;
    while (!StillRunning().empty() && Clock::now() < deadline) {
      std::this_thread::sleep_for(std::chrono::milliseconds(5));
    }
  }

  const TemporaryFolder folder_;
};

TEST_F(BatchKillsTest, ABatchThatIsKilledGoesOnAndEndsAsOneThatIsNot) {
  const int kills = EnvironmentNumber("WARPGRADE_FAULTS", kFewKills);
  const int seed = EnvironmentNumber("WARPGRADE_FAULTS_SEED", static_cast<int>(std::random_device()() % 1'000'000));
  std::cout << "WARPGRADE_FAULTS=" << kills << " WARPGRADE_FAULTS_SEED=" << seed << "\n";
  std::mt19937 random(static_cast<unsigned>(seed));
  ASSERT_EQ(Batch("warm.db").exit_code, 0);  // compiles
  const Clock::time_point begin = Clock::now();
  ASSERT_EQ(Batch("undisturbed.db").exit_code, 0);
  const auto lasts = std::chrono::duration_cast<std::chrono::microseconds>(Clock::now() - begin).count();
  const std::string undisturbed = MarksIn("undisturbed.db");
  EXPECT_THAT(undisturbed, HasSubstr("does not compile"));

  int hits = 0, went_on = 0, book = 0;
  for (int i = 0; i < kills && !HasFailure(); ++i) {
    const std::string gradebook = "killed" + std::to_string(book) + ".db";
    const bool interrupt = i % 4 == 3;  // now and then as Ctrl-C does
    const auto delay = std::chrono::microseconds(random() % static_cast<unsigned>(lasts));
    SCOPED_TRACE("kill " + std::to_string(i) + " after " + std::to_string(delay.count()) + " us");
    const ProgramResult killed = Batch(gradebook, [&](int pid) {
      std::this_thread::sleep_for(delay);
      kill(pid, interrupt ? SIGINT : SIGKILL);
    });
    WaitForTheOrphans();
    EXPECT_THAT(killed.exit_code, testing::AnyOf(0, 130, 128 + SIGKILL, 128 + SIGINT)) << killed.err;
    hits += killed.exit_code == 0 ? 0 : 1;
    if (random() % 3 != 0) continue;  // the same gradebook is killed again
    const ProgramResult rest = Batch(gradebook);
    EXPECT_EQ(rest.exit_code, 0) << rest.err;
    EXPECT_EQ(MarksIn(gradebook), undisturbed);
    went_on += rest.out.find("unchanged") == std::string::npos ? 0 : 1;
    ++book;
  }
  const std::string last = "killed" + std::to_string(book) + ".db";
  ASSERT_EQ(Batch(last).exit_code, 0);
  EXPECT_EQ(MarksIn(last), undisturbed);
  std::cout << hits << " of " << kills << " kills hit it; " << went_on << " times it had something to go on with\n";
  EXPECT_GT(hits, 0);
}

}  // namespace
}  // namespace warpgrade::faults
