// A class gets the same points on a busy machine: beside four endless loops, and with the lowest priority. The small
// class compiles once. With WARPGRADE_TEST_LOAD=1 in the environment, a class with every kind of submission is compiled
// and graded each time; WARPGRADE_CLASS is its size.
#include <fcntl.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <cstdlib>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "tests/class/class_maker.h"
#include "tests/course/graded.h"

namespace warpgrade::classes {
namespace {

// Endless loops, each in a session of its own, so that each gets its share of the cores.
class BusyLoops {
 public:
  explicit BusyLoops(int count) {
    for (int i = 0; i < count; ++i) {
      const pid_t pid = fork();
      if (pid == 0) {
        setsid();
        volatile uint64_t n = 0;
        while (true) {
          const uint64_t next = n + 1;
          n = next;
        }
      }
      pids_.push_back(pid);
    }
  }
  ~BusyLoops() {
    for (const pid_t pid : pids_) {
      kill(pid, SIGKILL);
      waitpid(pid, nullptr, 0);
    }
  }

 private:
  std::vector<pid_t> pids_;
};

// "s1000 v1_naive: 9", one line for each rung of each submission.
std::vector<std::string> PointsOf(const std::string& folder, std::vector<std::string> command,
                                  const std::vector<std::string>& options) {
  const TemporaryFolder results;
  const std::string json = results.Path("results.json");
  command.insert(command.end(), {WARPGRADE_BINARY, "grade", folder, "--device", "emulator", "--json", json});
  command.insert(command.end(), options.begin(), options.end());
  const ProgramResult graded = RunProgram(command);
  EXPECT_EQ(graded.exit_code, 0) << graded.err;
  std::vector<std::string> points;
  const nlohmann::json report = nlohmann::json::parse(ReadText(json), nullptr, /*allow_exceptions=*/false);
  if (report.is_discarded()) return points;
  for (const auto& submission : report.at("submissions")) {
    for (const auto& rung : submission.at("labs").at(0).at("rungs")) {
      points.push_back(submission.at("id").get<std::string>() + " " + rung.at("rung").get<std::string>() + ": " +
                       rung.at("points").dump());
    }
  }
  return points;
}

TEST(BusyMachineTest, AClassGetsTheSamePointsBesideBusyLoopsAndWithTheLowestPriority) {
  const bool is_large = std::getenv("WARPGRADE_TEST_LOAD") != nullptr;
  const char* const size = std::getenv("WARPGRADE_CLASS");
  const TemporaryFolder folder;
  const ClassOptions options{.size = !is_large ? 2 : size == nullptr ? 13 : static_cast<size_t>(std::atoi(size))};
  MakeClass(options, folder.Path("class"));
  std::vector<std::string> arguments = {"--lab", options.lab};
  if (is_large) {
    arguments.push_back("--no-cache");
  } else {
    arguments.insert(arguments.end(), {"--rung", "v1"});
    arguments = WithSmallCases(arguments);
  }
  const std::vector<std::string> idle = PointsOf(folder.Path("class"), {}, arguments);
  EXPECT_GE(idle.size(), options.size);
  {
    const BusyLoops loops(4);
    EXPECT_EQ(PointsOf(folder.Path("class"), {}, arguments), idle);
  }
  EXPECT_EQ(PointsOf(folder.Path("class"), {"/usr/bin/nice", "-n", "19"}, arguments), idle);
}

}  // namespace
}  // namespace warpgrade::classes
