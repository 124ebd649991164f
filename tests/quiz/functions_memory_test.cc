// What one warp's access costs, against the emulator's counters.
#include <gtest/gtest.h>

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
          EXPECT_DOUBLE_EQ(Number("access_efficiency", pattern),
                           double(counted.global_load_bytes) / (32.0 * double(counted.global_load_sectors)));
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

}  // namespace
}  // namespace warpgrade::quiz
