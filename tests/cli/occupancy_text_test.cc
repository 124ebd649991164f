#include "grader/cli/occupancy_text.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <regex>

#include "grader/device_model/occupancy.h"

namespace warpgrade::cli {
namespace {

using testing::ContainsRegex;
using testing::HasSubstr;
using testing::Not;

const DeviceModel& Gpu(const char* id) { return **FindDeviceModel(id); }

// Worked by hand. With the textbook's formula, 65536 / (50 x 128) = 10 blocks would fit.
TEST(OccupancyTextTest, ShowsTheRoundingThatTheTextbookLeavesOut) {
  EXPECT_EQ(OccupancyText({.registers = 50, .threads = 128}, Gpu("h200")),
            "NVIDIA H200 (compute capability 9.0): 50 registers a thread, 128 threads a block, 0 bytes of shared "
            "memory\n"
            "\n"
            "  a block    128 / 32, rounded up = 4 warps\n"
            "  registers  50 x 32 = 1600 a warp, rounded up to a multiple of 256 = 1792\n"
            "             65536 / 4 schedulers = 16384; 16384 / 1792 = 9, so 36 warps\n"
            "             36 / 4 = 9 blocks                                             <- the limit\n"
            "  shared     0 bytes + 1024 for the system = 1024\n"
            "             233472 / 1024 = 228 blocks\n"
            "  threads    2048 / 32 = 64 warps; 64 / 4 = 16 blocks\n"
            "  blocks     at most 32 blocks\n"
            "\n"
            "9 blocks of 4 warps are resident on a multiprocessor: 36 of 64 warps, 56.25%.\n"
            "With at most 48 registers, 10 blocks would be resident.\n");
}

TEST(OccupancyTextTest, NamesEveryLimitOfSeveral) {
  const std::string text = OccupancyText({.registers = 32, .threads = 256}, Gpu("h200"));
  EXPECT_THAT(text, ContainsRegex("  64 / 8 = 8 blocks +<- the limit\n  shared"));
  EXPECT_THAT(text, ContainsRegex("threads +2048 / 32 = 64 warps; 64 / 8 = 8 blocks +<- the limit\n"));
  EXPECT_THAT(text, HasSubstr("64 of 64 warps, 100%."));
  EXPECT_THAT(text, Not(HasSubstr("With at most")));
}

TEST(OccupancyTextTest, SharedMemoryIsRoundedAndLimits) {
  const std::string text = OccupancyText({.registers = 32, .threads = 64, .shared = 40001}, Gpu("a100"));
  EXPECT_THAT(text, HasSubstr("40001 bytes + 1024 for the system = 41025, rounded up to a multiple of 128 = 41088\n"
                              "             167936 / 41088 = 4 blocks "));
  EXPECT_THAT(text, HasSubstr("With at most 32512 bytes of shared memory, 5 blocks would be resident."));
}

TEST(OccupancyTextTest, WhatCannotRunSaysWhy) {
  const std::string registers = OccupancyText({.registers = 255, .threads = 1024}, Gpu("h200"));
  EXPECT_THAT(registers, HasSubstr("8192 x 32 = 262144 a block, but a block may have 65536: 0 blocks"));
  EXPECT_THAT(registers, HasSubstr("No block fits on a multiprocessor"));
  EXPECT_THAT(OccupancyText({.registers = 32, .threads = 64, .shared = 70000}, Gpu("t4")),
              HasSubstr("70000 bytes a block, but a block may have 65536: 0 blocks"));
  EXPECT_THAT(OccupancyText({.registers = 32, .threads = 64, .shared = ~uint64_t{0}}, Gpu("h200")),
              HasSubstr("18446744073709551615 bytes a block, but a block may have 232448: 0 blocks"));
}

TEST(OccupancyTextTest, AGpuThatTakesNothingForTheSystemHasNoLimitWithoutSharedMemory) {
  EXPECT_THAT(OccupancyText({.registers = 32, .threads = 64}, Gpu("t4")), HasSubstr("0 bytes a block: no limit"));
}

// The last "= N" of a line of arithmetic, for the resource whose lines begin with `name`.
int BlocksIn(const std::string& text, const std::string& name) {
  std::smatch found;
  const std::regex pattern("\n  " + name +
                           " [^\n]*(?:\n {13}[^\n]*)*?(?:= |at most |: )(\\d+) blocks?(?: +<- the limit)?\n");
  return std::regex_search(text, found, pattern) ? std::stoi(found[1]) : -1;
}

// The steps are written by this kit, the numbers of blocks come from the toolkit's own arithmetic. So each step must
// lead to them: "36 / 4 = 9 blocks" and "16384 / 1792 = 9".
TEST(OccupancyTextTest, EveryStepIsRightOnEveryGpu) {
  static const std::regex kDivision(R"((\d+) / (\d+) = (\d+))");
  static const std::regex kProduct(R"((\d+) x (\d+) = (\d+))");
  for (const DeviceModel& gpu : DeviceModels()) {
    for (int registers = 1; registers <= 255; registers += 7) {
      for (int threads : {1, 32, 33, 96, 128, 352, 544, 1000, 1024}) {
        for (uint64_t shared : {0, 1, 128, 1536, 40000, 65536}) {
          const KernelNeeds needs{.registers = static_cast<uint32_t>(registers)};
          const Occupancy occupancy = OccupancyOf(needs, gpu.capability, threads, shared);
          const std::string text = OccupancyText({registers, threads, shared}, gpu);
          EXPECT_EQ(BlocksIn(text, "registers"), occupancy.by_registers) << text;
          EXPECT_EQ(BlocksIn(text, "threads"), occupancy.by_warps) << text;
          if (occupancy.by_shared != Occupancy::kNoLimit) {
            EXPECT_EQ(BlocksIn(text, "shared"), occupancy.by_shared) << text;
          }
          for (std::sregex_iterator it(text.begin(), text.end(), kDivision); it != std::sregex_iterator(); ++it) {
            EXPECT_EQ(std::stoi((*it)[1]) / std::stoi((*it)[2]), std::stoi((*it)[3])) << text;
          }
          for (std::sregex_iterator it(text.begin(), text.end(), kProduct); it != std::sregex_iterator(); ++it) {
            EXPECT_EQ(std::stoi((*it)[1]) * std::stoi((*it)[2]), std::stoi((*it)[3])) << text;
          }
          if (testing::Test::HasFailure()) return;
        }
      }
    }
  }
}

}  // namespace
}  // namespace warpgrade::cli
