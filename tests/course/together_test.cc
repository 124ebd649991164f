// Grades solutions whose rungs were compiled together, and again with each rung compiled alone. Everything in the
// reports is the same, all counters too. lab4 has variables in constant memory, and lab5 has headers of the lab's own.
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "tests/course/graded.h"

namespace warpgrade {
namespace {

using nlohmann::json;

// Without what differs from run to run: the seed, and counts for a size that is drawn.
void RemoveSeeds(json* value) {
  if (value->is_object()) {
    value->erase("delay_seed");
    value->erase("answer_metrics");
  }
  for (json& part : *value) {
    if (part.is_structured()) RemoveSeeds(&part);
  }
}

TEST(CompiledTogetherTest, TheRungsOfASolutionGiveTheSameReportAsAlone) {
  const std::vector<std::vector<std::string>> chosen = {{"--lab", "lab4", "--rung", "v2", "--rung", "v6"},
                                                        {"--lab", "lab5", "--rung", "v1", "--rung", "v5"}};
  for (std::vector<std::string> arguments : chosen) {
    arguments.push_back("--no-cache");  // it may have what was compiled alone
    Graded together = Grade(SourcePath("solutions"), arguments);
    arguments.push_back("--compile-alone");
    Graded alone = Grade(SourcePath("solutions"), arguments);
    ASSERT_EQ(together.program.exit_code, 0) << together.program.err;
    ASSERT_EQ(alone.program.exit_code, 0) << alone.program.err;
    RemoveSeeds(&together.report);
    RemoveSeeds(&alone.report);
    EXPECT_EQ(together.report, alone.report) << json::diff(alone.report, together.report).dump(2);
  }
}

}  // namespace
}  // namespace warpgrade
