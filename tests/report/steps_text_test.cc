#include "grader/report/steps_text.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <sstream>

#include "grader/report/text.h"
#include "tests/report/step_blocks.h"

namespace warpgrade::report {
namespace {

using testing::EndsWith;
using testing::HasSubstr;
using testing::Not;

constexpr const char* kTreeSource = "{\n  tile[t] = d_in[i];\n  tile[t] += tile[t + s];\n}\n";

TEST(StepsTextTest, AStepHasItsValuesWiresThreadsAndLanes) {
  EXPECT_EQ(StepsText(Tree(64), kTreeSource, 2, {.utf8 = true}),
            "  kernel reduce<float>, launch 1 of 3: block (0,0,0) of 100 blocks with 64\n"
            "  threads\n"
            "\n"
            "step 2 of 7: 32 of 64 threads work, until a barrier of the block\n"
            "  line 3: tile[t] += tile[t + s];\n"
            "\n"
            "  tile[64], in shared memory\n"
            "              0       1       2       3       4       5       6       7\n"
            "  before      1       2       3       4       5       6       7       8\n"
            "             └─┬─────┘       └─┬─────┘       └─┬─────┘       └─┬─────┘\n"
            "               ▼               ▼               ▼               ▼\n"
            "  after       3       2       7       4      11       6      15       8\n"
            "  thread      0               2               4               6\n"
            "  4 of 32 writes are drawn\n"
            "\n"
            "  warps 0 to 1      █░█░█░█░ █░█░█░█░ █░█░█░█░ █░█░█░█░  16 of 32 lanes\n");
}

TEST(StepsTextTest, WithoutUtf8TheWiresAreAscii) {
  EXPECT_THAT(StepsText(Tree(64), kTreeSource, 3, {}),
              EndsWith("  before      3       2       7       4      11       6      15       8\n"
                       "             +-+-------------+               +-+-------------+\n"
                       "               v                               v\n"
                       "  after      10       2       7       4      26       6      15       8\n"
                       "  thread      0                               4\n"
                       "  2 of 16 writes are drawn\n"
                       "\n"
                       "  warps 0 to 1      #...#... #...#... #...#... #...#...  8 of 32 lanes\n"));
}

TEST(StepsTextTest, WiresThatMeetGetRowsOfTheirOwn) {
  EXPECT_THAT(StepsText(ShuffleDown(), "", 1, {.utf8 = true}),
              HasSubstr("  registers: one value for each lane\n"
                        "              0       1       2       3       4       5       6       7\n"
                        "  offers     100     101     102     103     104     105     106     107\n"
                        "               ┌─────┘       │ ┌─────┘       │ ┌─────┘       │ ┌─────┘\n"
                        "               │       ┌─────┘ │       ┌─────┘ │       ┌─────┘ │\n"
                        "               ▼       ▼       ▼       ▼       ▼       ▼       ▼\n"
                        "  gets       101     102     103     104     105     106     107     108\n"
                        "  thread      0       1       2       3       4       5       6\n"
                        "  7 of 32 writes are drawn\n"));
}

// Element t gets the sum of t and t + 32: sequential addressing.
TEST(StepsTextTest, AWireThatCrossesAnotherOneDoesNotMeetIt) {
  score::BlockSteps block = Tree(64);
  block.steps.resize(2);
  score::BlockStep& step = block.steps[1];
  step.reads.clear();
  step.writes.clear();
  for (uint32_t t = 0; t < 32; ++t) {
    const auto value = [](uint32_t of) { return BitsOf(static_cast<float>(of)); };
    const score::StepValue own{1, t, value(t + 1)}, other{1, t + 32, value(t + 33)};
    step.reads.insert(step.reads.end(), {{t, own}, {t, other}});
    step.writes.push_back({.thread = t, .what = {1, t, value(2 * t + 34)}, .sources = {own, other}});
  }
  EXPECT_THAT(StepsText(block, "", 2, {.utf8 = true}),
              HasSubstr("              0       1       2       3   …  32      33      34      35\n"
                        "  before      1       2       3       4      33      34      35      36\n"
                        "             └─┬─────│───────│───────│───────┘       │       │       │\n"
                        "               │     └─┬─────│───────│───────────────┘       │       │\n"
                        "               │       │     └─┬─────│───────────────────────┘       │\n"
                        "               │       │       │     └─┬─────────────────────────────┘\n"
                        "               ▼       ▼       ▼       ▼\n"
                        "  after      34      36      38      40      33      34      35      36\n"
                        "  thread      0       1       2       3\n"));
}

TEST(StepsTextTest, ValuesFromAnotherArrayStandAboveWithTheirOwnNumbers) {
  EXPECT_THAT(StepsText(Tree(8), kTreeSource, 1, {.utf8 = true}),
              HasSubstr("  d_in[800], in global memory, to tile[8], in shared memory\n"
                        "              0       1       2       3       4       5       6       7\n"
                        "  read        1       2       3       4       5       6       7       8\n"
                        "             └─┐     └─┐     └─┐     └─┐     └─┐     └─┐     └─┐     └─┐\n"
                        "               ▼       ▼       ▼       ▼       ▼       ▼       ▼       ▼\n"
                        "  written     1       2       3       4       5       6       7       8\n"
                        "              0       1       2       3       4       5       6       7\n"
                        "  thread      0       1       2       3       4       5       6       7\n"));
}

TEST(StepsTextTest, FarElementsAreDrawnSideBySideWithGaps) {
  const std::string text = StepsText(Tree(64), kTreeSource, 7, {});
  EXPECT_THAT(text, HasSubstr("\n              0   ~  32\n  before     528    1552\n")) << text;
}

// The keys of lab10 are unsigned and have up to 10 digits.
TEST(StepsTextTest, IntegersStandInFullInFewerAndWiderColumns) {
  const auto keys_as = [](score::StepArray::Type type, int bytes, uint64_t first) {
    score::BlockSteps block = Tree(8);
    for (score::StepArray& array : block.arrays) array.type = type, array.bytes = bytes;
    for (score::StepWrite& write : block.steps[0].writes) {
      write.sources[0].bits = write.what.bits = first - write.thread;
    }
    for (score::StepRead& read : block.steps[0].reads) read.what.bits = first - read.thread;
    block.steps.resize(1);
    const std::string text = StepsText(block, "", 1, {});
    std::istringstream rows(text);
    for (std::string row; std::getline(rows, row);) EXPECT_LE(DisplayWidth(row), 78) << row;
    return text;
  };
  using enum score::StepArray::Type;
  EXPECT_THAT(keys_as(kUnsigned, 4, 0xffffffff),
              HasSubstr("               0          1          2          3          4          5\n"
                        "  read     4294967295 4294967294 4294967293 4294967292 4294967291 4294967290\n"
                        "              +-+        +-+        +-+        +-+        +-+        +-+\n"
                        "                v          v          v          v          v          v\n"
                        "  written  4294967295 4294967294 4294967293 4294967292 4294967291 4294967290\n"
                        "               0          1          2          3          4          5\n"
                        "  thread       0          1          2          3          4          5\n"
                        "  6 of 8 writes are drawn\n"));
  EXPECT_THAT(keys_as(kSigned, 4, 0x80000007), HasSubstr(" -2147483641 -2147483642 "));
  EXPECT_THAT(keys_as(kUnsigned, 8, ~uint64_t{0}), HasSubstr(" 18446744073709551615 18446744073709551614 "));
  EXPECT_THAT(keys_as(kUnsigned, 4, 1'000'007), HasSubstr("   1000007 1000006 1000005 1000004 1000003"));
}

TEST(StepsTextTest, AllStepsAreDrawnUpToALimit) {
  score::BlockSteps block = Tree(64);
  const std::string all = StepsText(block, kTreeSource, std::nullopt, {});
  for (int step = 1; step <= 7; ++step) EXPECT_THAT(all, HasSubstr("\nstep " + std::to_string(step) + " of 7: "));
  for (int more = 0; more < 100; ++more) block.steps.push_back(block.steps[1]);
  EXPECT_THAT(StepsText(block, kTreeSource, std::nullopt, {}),
              HasSubstr("\n43 more steps not shown; draw one with --step 65\n"));
}

TEST(StepsTextTest, WhatWasNotKeptIsSaid) {
  score::BlockSteps block = Tree(8);
  block.left_out = 12345;
  block.steps[3].reads.clear();
  block.steps[3].writes.clear();
  const std::string text = StepsText(block, kTreeSource, std::nullopt, {});
  EXPECT_THAT(text, HasSubstr("12345 values of this block were not kept: "));
  EXPECT_THAT(text, HasSubstr("step 4 of 4: its values were not kept\n"));
}

TEST(StepsTextTest, TextOfTheProgramStaysInItsColumns) {
  score::BlockSteps block = Tree(64);
  block.kernel = std::string(300, 'k') + "\x1b[2J";
  block.arrays[0].name = std::string(100, 'a') + "\n\x07";
  block.arrays[1].name = "t\x1b[31m";
  const std::string text = StepsText(block, std::string(500, 'x') + "\n" + std::string(500, 'y'), std::nullopt, {});
  EXPECT_THAT(text, Not(HasSubstr("\x1b")));
  EXPECT_THAT(text, Not(HasSubstr("\x07")));
  std::istringstream rows(text);
  for (std::string row; std::getline(rows, row);) {
    EXPECT_LE(DisplayWidth(row), 80) << row;
  }
}

}  // namespace
}  // namespace warpgrade::report
