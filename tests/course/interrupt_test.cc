// Ctrl-C in the middle of grading: what is finished is printed and written, and nothing is left running.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <signal.h>

#include <chrono>
#include <thread>

#include "tests/course/graded.h"

namespace warpgrade {
namespace {

using testing::HasSubstr;

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
                   // v1 is missing, which takes no time to see; v2 compiles, then hangs until its limit.
                   std::this_thread::sleep_for(std::chrono::seconds(8));
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
