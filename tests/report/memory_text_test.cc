#include "grader/report/memory_text.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <bit>
#include <random>

#include "grader/report/memory_picture.h"
#include "grader/report/text.h"
#include "tests/report/picture_oracle.h"

namespace warpgrade::report {
namespace {

using testing::HasSubstr;
using testing::Not;

// A request of a whole warp whose lane l is at `start` + l * `stride`.
score::LineRequests Strided(bool in_shared, uint64_t stride, int bytes = 4, uint64_t start = 0) {
  score::LineRequests line;
  line.line = 34;
  line.in_shared = in_shared;
  score::MemoryRequest& shown = line.shown;
  shown.bytes = bytes;
  shown.lanes = 0xFFFFFFFF;
  for (uint64_t lane = 0; lane < 32; ++lane) shown.at.push_back(start + lane * stride);
  shown.array = in_shared ? "" : "d_out";
  shown.kernel = "transpose_v3";
  shown.block_size = {32, 8, 1};
  shown.warp = 3;
  shown.cost = in_shared ? TurnsByService(shown) : SectorsByByte(shown);
  shown.fewest =
      in_shared ? static_cast<uint64_t>(std::max(1, bytes / 4)) : std::min(shown.cost, static_cast<uint64_t>(bytes));
  line.requests = 100;
  line.costs = {{shown.cost, shown.fewest, 100}};
  line.cost = 100 * shown.cost;
  line.fewest = 100 * shown.fewest;
  return line;
}

void ExpectDrawnAsCounted(const score::LineRequests& line) {
  const std::string text = RequestText(line, {});
  SCOPED_TRACE(text);
  const CountedDrawing drawn = CountDrawing(text, line.in_shared);
  if (line.in_shared) {
    EXPECT_EQ(drawn.turns.size(), TurnsByService(line.shown));
    EXPECT_EQ(static_cast<uint64_t>(BanksOf(line.shown).turns), TurnsByService(line.shown));
    EXPECT_EQ(drawn.banks_of_lane.size(), line.shown.at.size()) << "a row for each lane that is active";
    const std::vector<int> lanes = LanesOfMask(line.shown.lanes);
    for (size_t i = 0; i < lanes.size(); ++i) {
      std::set<int> banks;
      for (int byte = 0; byte < line.shown.bytes; ++byte) {
        banks.insert(static_cast<int>((line.shown.at[i] + static_cast<uint64_t>(byte)) / 4 % 32));
      }
      EXPECT_EQ(drawn.banks_of_lane.at(lanes[i]), banks) << "lane " << lanes[i];
    }
  } else {
    EXPECT_EQ(drawn.sectors, SectorsByByte(line.shown));
    EXPECT_EQ(drawn.wanted, WantedBytes(line.shown).size());
  }
  for (const std::string& row : Wrap(text, 1000)) {
    EXPECT_LE(DisplayWidth(row), 80) << row;
  }
}

TEST(MemoryTextTest, AColumnOfATileTakesATurnForEachLane) {
  const std::string text = RequestText(Strided(true, 128), {});
  EXPECT_THAT(text, HasSubstr("a load from shared memory takes 32 turns, where 1 would do\n"));
  EXPECT_THAT(text, HasSubstr("kernel transpose_v3, block (0,0,0), warp 3, threads (0,3,0) to (31,3,0)\n"));
  EXPECT_THAT(text, HasSubstr("line 34 makes 100 such requests: 100 take 32 turns\n"));
  EXPECT_THAT(text, HasSubstr("     0       0   1       .       ."));
  EXPECT_THAT(text, HasSubstr("    31    3968  32       .       ."));
  EXPECT_THAT(RequestSumWords(Strided(true, 128)), HasSubstr("Bank 0 is asked for 32 different words."));
  ExpectDrawnAsCounted(Strided(true, 128));
}

TEST(MemoryTextTest, AColumnOfAMatrixMovesASectorForEachLane) {
  const std::string text = RequestText(Strided(false, 2048), {});
  EXPECT_THAT(text, HasSubstr("a load from global memory moves 32 sectors of 32 bytes, where 4 would do\n"));
  EXPECT_THAT(text, HasSubstr("  d_out + 0             0 ####----------------------------   4 of 32  0\n"));
  EXPECT_THAT(text, HasSubstr("  d_out + 63488         0 ####----------------------------   4 of 32  31\n"));
  EXPECT_THAT(text, HasSubstr("Moved: 32 sectors of 32 bytes, 1024 bytes in all. Wanted: 128 bytes, 12.5%."));
  ExpectDrawnAsCounted(Strided(false, 2048));
}

TEST(MemoryTextTest, ARowIsTheFewest) {
  EXPECT_THAT(RequestText(Strided(true, 4), {}), HasSubstr("takes 1 turn, which is the fewest possible\n"));
  const std::string text = RequestText(Strided(false, 4, 4, 4096), {});
  EXPECT_THAT(text, HasSubstr("moves 4 sectors of 32 bytes, which is the fewest\n  possible\n"));
  EXPECT_THAT(text, HasSubstr("  d_out + 4096          0 ################################  32 of 32  0-7\n"));
  EXPECT_THAT(text, HasSubstr("\n                        1 ######")) << "the line of 128 bytes is named once";
}

TEST(MemoryTextTest, WideAccessesAreServedInParts) {
  const std::string text = RequestText(Strided(true, 16, 16), {});
  EXPECT_THAT(text, HasSubstr("takes 4 turns, which is the fewest possible"));
  EXPECT_THAT(RequestSumWords(Strided(true, 16, 16)), HasSubstr("so the warp is served in 4 parts"));
  ExpectDrawnAsCounted(Strided(true, 16, 16));
  ExpectDrawnAsCounted(Strided(true, 8, 8));
  ExpectDrawnAsCounted(Strided(true, 64, 8));
}

TEST(MemoryTextTest, EveryDrawingHasTheTurnsAndSectorsThatAnOracleCounts) {
  std::mt19937 random(11);
  for (int i = 0; i < 300; ++i) {
    const int bytes = 1 << random() % 5;
    score::LineRequests line = Strided(i % 2 == 0, random() % 40 * static_cast<uint64_t>(bytes), bytes);
    score::MemoryRequest& shown = line.shown;
    if (random() % 3 == 0) {
      for (uint64_t& at : shown.at) at = random() % 512 * static_cast<uint64_t>(bytes);
    }
    if (random() % 3 == 0) {
      shown.lanes = static_cast<uint32_t>(random()) | 1;
      shown.at.resize(static_cast<size_t>(std::popcount(shown.lanes)));
    }
    shown.cost = line.in_shared ? TurnsByService(shown) : SectorsByByte(shown);
    ExpectDrawnAsCounted(line);
  }
}

TEST(MemoryTextTest, LanesThatDoNothingShareARow) {
  score::LineRequests line = Strided(true, 4);
  line.shown.lanes = 0x0000FF01;
  line.shown.at.resize(9);
  const std::string text = RequestText(line, {});
  EXPECT_THAT(text, HasSubstr("\n   1-7  not active\n"));
  EXPECT_THAT(text, HasSubstr("\n 16-31  not active\n"));
}

TEST(MemoryTextTest, Utf8AndColoursChangeOnlyTheMarks) {
  const std::string text = RequestText(Strided(false, 2048), {.utf8 = true});
  EXPECT_THAT(text, HasSubstr("0 ████░░░░░░░░░░░░░░░░░░░░░░░░░░░░   4 of 32  0\n"));
  EXPECT_THAT(RequestText(Strided(true, 128), {.utf8 = true}), HasSubstr("  1       ·       ·"));
  EXPECT_THAT(RequestText(Strided(true, 128), {}), Not(HasSubstr("\x1b")));
  EXPECT_THAT(RequestText(Strided(true, 128), {.colour = true}), HasSubstr("\x1b[31m32\x1b[0m"));
}

// The names come from the student's program.
TEST(MemoryTextTest, NamesCannotActOnTheTerminal) {
  score::LineRequests line = Strided(false, 2048);
  line.shown.array = "d\x1b[31m_" + std::string(100, 'x');
  line.shown.kernel = "k\x1b]0;title\x07\n\n\n";
  const std::string text = RequestText(line, {});
  EXPECT_THAT(text, Not(HasSubstr("\x1b")));
  for (const std::string& row : Wrap(text, 1000)) {
    EXPECT_LE(DisplayWidth(row), 80) << row;
  }
}

TEST(MemoryTextTest, WhatNoEmulatorRecordsIsNotDrawn) {
  for (const int bytes : {0, -4, 3, 64}) {
    score::LineRequests line = Strided(true, 128);
    line.shown.bytes = bytes;
    EXPECT_EQ(RequestText(line, {}), "") << bytes;
    EXPECT_EQ(RequestSumWords(line), "");
  }
  score::LineRequests line = Strided(true, 128);
  line.shown.at.pop_back();
  EXPECT_EQ(RequestText(line, {}), "");
  line = Strided(true, 128);
  line.shown.lanes = 0;
  EXPECT_EQ(RequestText(line, {}), "");
  line = Strided(false, 128);
  line.shown.at[0] = ~uint64_t{0} - 3;
  EXPECT_EQ(RequestText(line, {}), "");
}

}  // namespace
}  // namespace warpgrade::report
