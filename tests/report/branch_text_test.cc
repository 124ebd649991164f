#include "grader/report/branch_text.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <sstream>

#include "grader/report/text.h"

namespace warpgrade::report {
namespace {

using testing::HasSubstr;
using testing::Not;

score::LineBranches Line(std::vector<score::BranchStep> steps) {
  score::LineBranches line{20, 4096, 2560, "reduce_v1", {3, 0, 0}, {256, 1, 1}, 2};
  line.warp_executed = steps.size();
  line.warp_divergent = static_cast<uint64_t>(std::count_if(
      steps.begin(), steps.end(), [](const auto& step) { return step.inside != 0 && step.inside != step.at; }));
  line.steps = std::move(steps);
  return line;
}

constexpr uint32_t kAll = 0xFFFFFFFF;

TEST(BranchTextTest, TheStepsOfAnInterleavedReduction) {
  const std::string text = BranchText(Line({{kAll, kAll, 0x55555555}, {kAll, kAll, 0x11111111}, {kAll, kAll, 1}}), {});
  EXPECT_EQ(text,
            "  lanes of one warp go both ways at 3 of 3 steps\n"
            "  kernel reduce_v1, block (3,0,0), warp 2, threads (64,0,0) to (95,0,0)\n"
            "  line 20 has 4096 branches of warps; at 2560 of them lanes go both ways\n"
            "\n"
            "     step  lane 0   8        16       24\n"
            "        1  #.#.#.#. #.#.#.#. #.#.#.#. #.#.#.#.  16 active, 16 wait\n"
            "        2  #...#... #...#... #...#... #...#...  8 active, 24 wait\n"
            "        3  #....... ........ ........ ........  1 active, 31 wait\n"
            "\n"
            "  # is a lane that does the work of an `if`, or goes on in a loop. . waits,\n"
            "  because the lanes of a warp execute one instruction at a time. - has ended.\n");
}

TEST(BranchTextTest, StepsThatAreAlikeShareARowAndLanesThatEndedAreMarked) {
  const score::BranchStep uniform{0xFFFF, 0xFFFF, 0xFFFF};
  score::LineBranches line = Line({uniform, uniform, uniform, {0xFFFF, 0xFFFF, 0xFFFE}});
  line.warp_executed = 10;
  const std::string text = BranchText(line, {});
  EXPECT_THAT(text, HasSubstr("      1-3  ######## ######## -------- --------  16 active, 0 wait\n"));
  EXPECT_THAT(text, HasSubstr("        4  .####### ######## -------- --------  15 active, 1 waits\n"));
  EXPECT_THAT(text, HasSubstr("      ...  6 more steps\n"));
}

TEST(BranchTextTest, EveryDrawingHasTheLanesAndTheDivergentStepsThatWereRecorded) {
  std::mt19937 random(3);
  for (int i = 0; i < 100; ++i) {
    std::vector<score::BranchStep> steps;
    for (size_t s = 0; s < 1 + random() % 20; ++s) {
      score::BranchStep step{static_cast<uint32_t>(random() | random()), static_cast<uint32_t>(random()), 0};
      step.at &= step.alive;
      step.inside = step.at & (random() % 3 == 0 ? kAll : static_cast<uint32_t>(random()));
      steps.insert(steps.end(), 1 + random() % 3, step);
    }
    const score::LineBranches line = Line(steps);
    const std::string text = BranchText(line, {});
    SCOPED_TRACE(text);
    std::istringstream rows(text);
    size_t next = 0;
    uint64_t divergent = 0;
    bool drawn = false;
    for (std::string row; std::getline(rows, row);) {
      EXPECT_LE(row.size(), 80u);
      if (row.starts_with("     step")) {
        drawn = true;
        continue;
      }
      if (!drawn || row.empty()) continue;
      if (row.starts_with("  #")) break;
      std::string number = row.substr(0, 9), marks = row.substr(11, 35);
      std::erase(marks, ' ');
      const size_t dash = number.find('-');
      const size_t first = std::stoul(number),
                   last = dash == std::string::npos ? first : std::stoul(number.substr(dash + 1));
      ASSERT_EQ(first, next + 1);
      for (next = first; next <= last; ++next) {
        for (size_t lane = 0; lane < 32; ++lane) {
          const uint32_t bit = 1u << lane;
          const score::BranchStep& step = steps.at(next - 1);
          const char mark = (step.inside & bit) != 0 ? '#' : (step.alive & bit) != 0 ? '.' : '-';
          EXPECT_EQ(marks.at(lane), mark) << "step " << next << ", lane " << lane;
        }
        const score::BranchStep& step = steps.at(next - 1);
        divergent += step.inside != 0 && step.inside != step.at ? 1 : 0;
      }
      next = last;
    }
    EXPECT_EQ(next, steps.size());
    EXPECT_EQ(divergent, line.warp_divergent);
  }
}

TEST(BranchTextTest, Utf8AndHostileNames) {
  score::LineBranches line = Line({{0xFFFF, 0xFFFF, 1}});
  EXPECT_THAT(BranchText(line, {.utf8 = true}), HasSubstr("█░░░░░░░ ░░░░░░░░ ········ ········"));
  line.kernel = "k\x1b[2J\n";
  EXPECT_THAT(BranchText(line, {}), Not(HasSubstr("\x1b")));
  EXPECT_EQ(BranchText(Line({}), {}), "");
}

}  // namespace
}  // namespace warpgrade::report
