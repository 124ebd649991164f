// What one warp's access costs, against the emulator's counters.
#include <gtest/gtest.h>

#include <cstddef>

#include "tests/quiz/ask.h"
#include "tests/quiz/emulated.h"

namespace warpgrade::quiz {
namespace {

TEST(QuizMemoryTest, SectorsAndEfficiencyAreWhatTheEmulatorCounts) {
  const char* orders[] = {"straight", "reversed", "pairs_swapped", "shuffled"};
  for (const int bytes : {1, 2, 4, 8, 16}) {
    Emulated kernel("load" + std::to_string(bytes));
    const auto in = kernel.Buffer(1 << 20), out = kernel.Buffer(4096);
    for (const int stride : {0, 1, 2, 3, 5, 8, 32, 33}) {
      for (const int offset : {0, 1, 3, 8, 20}) {
        for (int order = 0; order < 4; ++order) {
          SCOPED_TRACE(testing::Message()
                       << bytes << " bytes, stride " << stride << ", offset " << offset << ", " << orders[order]);
          const emulator::Counters counted =
              kernel.Count({1}, {32}, {in, out, uint64_t(stride), uint64_t(offset), uint64_t(order)});
          ASSERT_EQ(counted.global_load_requests, 1u);
          const Values pattern = {{"bytes", double(bytes)},
                                  {"stride", double(stride)},
                                  {"offset", double(offset)},
                                  {"order", orders[order]}};
          EXPECT_EQ(Number("sectors_per_request", pattern), double(counted.global_load_sectors));
          // The emulator counts what each lane wants; the share counts what several lanes want once.
          const double wanted = stride == 0 ? bytes : double(counted.global_load_bytes);
          EXPECT_DOUBLE_EQ(Number("access_efficiency", pattern), wanted / (32.0 * double(counted.global_load_sectors)));
        }
      }
    }
  }
}

TEST(QuizMemoryTest, TurnsOfSharedMemoryAreWhatTheEmulatorCounts) {
  for (const int bytes : {4, 8, 16}) {
    Emulated kernel("shared" + std::to_string(bytes));
    const auto out = kernel.Buffer(4096);
    for (int stride = 0; stride <= 40; ++stride) {
      SCOPED_TRACE(testing::Message() << bytes << " bytes, stride " << stride);
      const emulator::Counters counted = kernel.Count({1}, {32}, {out, uint64_t(stride)}, 32 * 1024);
      ASSERT_EQ(counted.shared_load_requests, 1u);
      const Values row = {{"bytes", double(bytes)}, {"stride", double(stride)}};
      EXPECT_EQ(Number("shared_wavefronts", row), double(counted.shared_load_wavefronts));
      EXPECT_DOUBLE_EQ(Number("bank_conflict_degree", row) * (bytes / 4), double(counted.shared_load_wavefronts));
    }
  }
}

TEST(QuizMemoryTest, APaddedRowIsFreeOfConflicts) {
  EXPECT_EQ(Number("shared_wavefronts", {{"stride", 32.0}}), 32);
  EXPECT_EQ(Number("shared_wavefronts", {{"stride", 33.0}}), 1);
}

// The course's table of access patterns, for 32 floats.
TEST(QuizMemoryTest, LinesAreThoseOfTheCoalescingTable) {
  const auto lines = [](double stride, double offset) {
    return Number("lines_per_request", {{"stride", stride}, {"offset", offset}});
  };
  EXPECT_EQ(lines(1, 0), 1);
  EXPECT_EQ(lines(1, 1), 2);
  EXPECT_EQ(lines(1, 8), 2);
  EXPECT_EQ(lines(0, 0), 1) << "all lanes want one word";
  EXPECT_EQ(lines(2, 0), 2);
  EXPECT_EQ(lines(4, 0), 4);
  EXPECT_EQ(lines(8, 0), 8);
  EXPECT_EQ(lines(32, 0), 32);
  EXPECT_DOUBLE_EQ(Number("access_efficiency", {{"stride", 0.0}}), 0.125);
  EXPECT_DOUBLE_EQ(Number("access_efficiency", {{"stride", 1.0}, {"offset", 1.0}}), 0.8);
}

TEST(QuizMemoryTest, TheFirstGpusNeededOrder) {
  const auto transactions = [](const char* capability, double offset, const char* order) {
    return Number("half_warp_transactions",
                  {{"stride", 1.0}, {"offset", offset}, {"order", order}, {"capability", capability}});
  };
  EXPECT_EQ(transactions("1.0", 0, "straight"), 1);
  EXPECT_EQ(transactions("1.0", 16, "straight"), 1);
  EXPECT_EQ(transactions("1.0", 1, "straight"), 16) << "not aligned";
  EXPECT_EQ(transactions("1.0", 0, "pairs_swapped"), 16) << "not in order";
  EXPECT_EQ(transactions("1.3", 0, "pairs_swapped"), 1);
  EXPECT_EQ(transactions("1.3", 1, "straight"), 1) << "words 1 to 16 lie in one segment of 128 bytes";
  EXPECT_EQ(transactions("1.3", 24, "straight"), 2) << "words 24 to 39 lie in two";
}

TEST(QuizMemoryTest, ArraysInOnePieceOfMemoryLieWhereAStructHasThem) {
  struct Piece {
    float a[100], b[60], c[40];
  };
  const Value lengths = std::vector<double>{100, 60, 40};
  EXPECT_EQ(Number("shared_bytes", {{"lengths", lengths}}), sizeof(Piece));
  EXPECT_EQ(Number("shared_offset", {{"lengths", lengths}, {"array", 0.0}}), offsetof(Piece, a));
  EXPECT_EQ(Number("shared_offset", {{"lengths", lengths}, {"array", 1.0}}), offsetof(Piece, b));
  EXPECT_EQ(Number("shared_offset", {{"lengths", lengths}, {"array", 2.0}}), offsetof(Piece, c));
  EXPECT_NE(Refusal("shared_offset", {{"lengths", lengths}, {"array", 3.0}}), "");
  EXPECT_EQ(Number("symbol_bytes", {{"elements", 100.0}, {"bytes", 4.0}}), sizeof(Piece::a));
}

TEST(QuizMemoryTest, AccessesToSharedMemoryAreRacesConflictsOrNeither) {
  const auto problem = [](const char* access) { return Word("access_problem", {{"access", access}}); };
  const auto turns = [](double stride) { return Number("shared_wavefronts", {{"stride", stride}}); };
  EXPECT_EQ(problem("lane l reads the word 32 * l"), turns(32) > 1 ? "bank_conflict" : "none");
  EXPECT_EQ(problem("lane l reads the word 2 * l"), turns(2) > 1 ? "bank_conflict" : "none");
  EXPECT_EQ(problem("all lanes of a warp read the same word"), turns(0) > 1 ? "bank_conflict" : "none");
  EXPECT_EQ(problem("lane l reads the byte l of an array of bools"), "none") << "four bools are one word";
  EXPECT_EQ(problem("every thread executes fired &= mine on one shared variable fired"), "race");
  EXPECT_EQ(problem("every thread writes its own element and reads that of its neighbour, without a barrier"), "race");
}

TEST(QuizMemoryTest, OnlyAConstantLengthIsStatic) {
  EXPECT_EQ(Word("shared_declaration", {{"length", "a constant"}}), "static");
  EXPECT_EQ(Word("shared_declaration", {{"length", "an argument of the host function"}}), "extern");
}

}  // namespace
}  // namespace warpgrade::quiz
