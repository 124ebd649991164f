#include "grader/report/race_text.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <sstream>

#include "grader/report/text.h"

namespace warpgrade::report {
namespace {

using testing::HasSubstr;
using testing::Not;

score::RaceOfTwo Race() {
  return {"reverse",
          "tile[33]",
          "block",
          {2, "wrote", {0, 0, 0}, {33, 0, 0}, 1, 1},
          {4, "read", {0, 0, 0}, {2, 0, 0}, 0, 2},
          4};
}

constexpr const char* kSource = "{\n  tile[t] = d_in[i];\n\n  d_out[i] = tile[last - t];\n}\n";

TEST(RaceTextTest, TheTimeLineHasBothAccessesAndTheBarrierThatIsNotThere) {
  EXPECT_EQ(RaceText(Race(), kSource, {}),
            "  two threads of one block access tile[33], and nothing orders them\n"
            "  kernel reverse\n"
            "\n"
            "  time   thread (33,0,0)                     thread (2,0,0)\n"
            "  |      warp 1, lane 1                      warp 0, lane 2\n"
            "  |\n"
            "  |      line 2: wrote tile[33]\n"
            "  |        tile[t] = d_in[i];\n"
            "  |      ---------------------- no __syncthreads() here ----------------------\n"
            "  |                                          line 4: read tile[33]\n"
            "  |                                            d_out[i] = tile[last - t];\n"
            "  v\n"
            "\n"
            "  Either access may come first: their order here is only that of their lines. So\n"
            "  the read gives the old value or the new one. A __syncthreads() before line 4\n"
            "  orders them.\n");
}

TEST(RaceTextTest, TheColumnsNameThePlaceWithoutItsSpace) {
  score::RaceOfTwo race = Race();
  race.place = "element 33 of tile in shared memory";
  const std::string text = RaceText(race, kSource, {});
  EXPECT_THAT(text, HasSubstr("access element 33 of tile in shared memory, and"));
  EXPECT_THAT(text, HasSubstr("line 2: wrote element 33 of tile\n"));
}

TEST(RaceTextTest, LanesOfOneWarpLackASyncwarpAndBlocksAnOrder) {
  score::RaceOfTwo race = Race();
  race.reach = "warp";
  EXPECT_THAT(RaceText(race, kSource, {}), HasSubstr(" no __syncwarp() here "));
  race.reach = "grid";
  race.second.block = {7, 0, 0};
  const std::string text = RaceText(race, kSource, {});
  EXPECT_THAT(text, HasSubstr("two threads of two blocks access tile[33]"));
  EXPECT_THAT(text, HasSubstr("block (0,0,0)                       block (7,0,0)\n"));
  EXPECT_THAT(text, HasSubstr(" no order of the blocks here "));
  EXPECT_THAT(text, Not(HasSubstr("orders them.\n"))) << "no barrier orders two blocks";
}

TEST(RaceTextTest, TwoWritesLeaveOneValue) {
  score::RaceOfTwo race = Race();
  race.second.verb = "wrote";
  race.barrier_line = 0;
  EXPECT_THAT(RaceText(race, kSource, {}),
              HasSubstr("that of their lines. So\n  either value may be the one that stays.\n"));
}

TEST(RaceTextTest, TextOfTheProgramStaysInItsColumns) {
  score::RaceOfTwo race = Race();
  race.place = "s\x1b[2J" + std::string(200, 'x');
  race.kernel = "k\n\n\x07";
  race.first.verb = std::string(100, 'w');
  const std::string text = RaceText(race, std::string("\n") + std::string(500, 'y') + "\n", {.utf8 = true});
  EXPECT_THAT(text, Not(HasSubstr("\x1b")));
  EXPECT_THAT(text, HasSubstr("▼"));
  std::istringstream rows(text);
  for (std::string row; std::getline(rows, row);) {
    EXPECT_LE(DisplayWidth(row), 80) << row;
  }
}

}  // namespace
}  // namespace warpgrade::report
