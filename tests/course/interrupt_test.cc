// Ctrl-C in the middle of grading: what is finished is printed and written, and nothing is left running.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <signal.h>
#include <sys/wait.h>

#include <chrono>
#include <string>
#include <thread>

#include "grader/sandbox/process_tree.h"
#include "tests/course/graded.h"

namespace warpgrade {
namespace {

using testing::HasSubstr;

// Waits until a rung is judged below the process `pid`, or it has ended.
void AwaitJudgeBelow(pid_t pid) {
  siginfo_t ended = {};
  while (waitid(P_PID, static_cast<id_t>(pid), &ended, WEXITED | WNOHANG | WNOWAIT) == 0 && ended.si_pid == 0) {
    for (const sandbox::ProcessInfo& process : sandbox::DescendantsOf(pid, 1000)) {
      const std::string command = ReadText("/proc/" + std::to_string(process.pid) + "/cmdline");
      if (command.find("judge-rung") != std::string::npos) return;
    }
    std::this_thread::sleep_for(std::chrono::milliseconds(10));
  }
}

TEST(InterruptTest, PrintsAndWritesWhatIsFinished) {
  const TemporaryFolder folder;
  folder.Write("s1/lab2/v2_shared.cu",
               "#include \"labs/lab2/lab2.h\"\n"
               "template <typename T>\n"
               "void transpose(const T*, T*, size_t, size_t, cudaStream_t) { volatile bool b = true; while (b) {} }\n"
               "LAB2_INSTANTIATE();\n");
  const std::string json_file = folder.Path("out.json");
  const ProgramResult result =
      RunProgram({WARPGRADE_BINARY, "grade", folder.Path("s1"), "--lab", "lab2", "--rung", "v1", "--rung", "v2",
                  "--jobs", "1", "--device", "emulator", "--json", json_file},
                 {}, [](int pid) {
                   // v1 is missing; v2 compiles, then hangs until its limit, and is interrupted there.
                   AwaitJudgeBelow(pid);
                   kill(pid, SIGINT);
                 });
  EXPECT_EQ(result.exit_code, 130) << result.err;
  EXPECT_THAT(result.out, HasSubstr("v1_naive"));
  EXPECT_THAT(result.err, HasSubstr("interrupted"));
  const auto report = nlohmann::json::parse(ReadText(json_file));
  const auto& rungs = report.at("submissions").at(0).at("labs").at(0).at("rungs");
  ASSERT_EQ(rungs.size(), 1u) << "v2 was cut short, so it has no row";
  EXPECT_EQ(rungs.at(0).at("status"), "missing");
}

}  // namespace
}  // namespace warpgrade
