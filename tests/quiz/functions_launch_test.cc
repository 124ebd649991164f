// Occupancy against the emulated runtime and against the published rules; indices against kernels.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <sstream>

#include "grader/device_model/device_model.h"
#include "tests/cli/program.h"
#include "tests/quiz/ask.h"
#include "tests/quiz/emulated.h"

namespace warpgrade::quiz {
namespace {

// By the tables of the CUDA C++ Programming Guide: registers are handed out by warp in units of 256, from four equal
// parts of the register file; shared memory by block in units of 128 bytes, with what the system takes.
int ResidentByTheRules(int registers, int threads, int shared, const ComputeCapability& device) {
  const int warps = (threads + 31) / 32;
  const int per_warp = (registers * 32 + 255) / 256 * 256;
  const int by_registers = 4 * (65536 / 4 / per_warp) / warps;
  const int by_warps = device.threads_per_multiprocessor / 32 / warps;
  const int bytes = (shared + device.shared_reserved_per_block + 127) / 128 * 128;
  const int by_shared = bytes == 0 ? 1000 : device.shared_per_multiprocessor / bytes;
  if (per_warp * warps > 65536) return 0;
  return std::min({by_registers, by_warps, by_shared, device.blocks_per_multiprocessor});
}

TEST(QuizLaunchTest, ResidentBlocksFollowThePublishedRules) {
  for (const DeviceModel& model : DeviceModels()) {
    for (const int registers : {16, 24, 32, 33, 40, 50, 64, 72, 96, 128, 168, 255}) {
      for (const int threads : {32, 64, 128, 192, 256, 384, 512, 768, 1024}) {
        for (const int shared : {0, 1000, 16384, 33792, 49152}) {
          SCOPED_TRACE(testing::Message() << model.id << " " << registers << " " << threads << " " << shared);
          const int expected = ResidentByTheRules(registers, threads, shared, model.capability);
          const Values kernel = {{"registers", double(registers)},
                                 {"threads", double(threads)},
                                 {"shared", double(shared)},
                                 {"device", model.id}};
          EXPECT_EQ(Number("resident_blocks", kernel), expected);
          EXPECT_DOUBLE_EQ(Number("occupancy", kernel),
                           double(expected) * ((threads + 31) / 32) * 32 / model.capability.threads_per_multiprocessor);
        }
      }
    }
  }
}

TEST(QuizLaunchTest, ResidentBlocksAreWhatTheEmulatedRuntimeSays) {
  for (const char* device : {"h200", "a100", "t4", "rtx3090"}) {
    const ProgramResult asked = RunProgram({QUIZ_OCCUPANCY}, {std::string("LD_LIBRARY_PATH=") + EMULATOR_LIBRARY_DIR,
                                                              std::string("WARPGRADE_DEVICE_AS=") + device});
    ASSERT_EQ(asked.exit_code, 0) << asked.err;
    std::istringstream lines(asked.out);
    int registers, threads, shared, blocks, compared = 0;
    while (lines >> registers >> threads >> shared >> blocks) {
      if (registers < 16) continue;
      SCOPED_TRACE(testing::Message() << device << " " << registers << " " << threads << " " << shared);
      ++compared;
      EXPECT_EQ(Number("resident_blocks", {{"registers", double(registers)},
                                           {"threads", double(threads)},
                                           {"shared", double(shared)},
                                           {"device", device}}),
                blocks);
    }
    EXPECT_GE(compared, 60) << asked.out;
  }
}

TEST(QuizLaunchTest, FiftyRegistersAndFiveHundredThreads) {
  // 50 registers are 7 units of 256 to a warp: 36 warps of 64, of which blocks of 16 warps take 32.
  EXPECT_EQ(Number("occupancy", {{"registers", 50.0}, {"threads", 512.0}}), 0.5);
}

TEST(QuizLaunchTest, NamesTheResourceThatIsShort) {
  const auto limit = [](double registers, double threads, double shared) {
    return Word("occupancy_limit", {{"registers", registers}, {"threads", threads}, {"shared", shared}});
  };
  EXPECT_EQ(limit(16, 256, 0), "threads");
  EXPECT_EQ(limit(16, 32, 0), "blocks");
  EXPECT_EQ(limit(128, 256, 0), "registers");
  EXPECT_EQ(limit(32, 256, 100000), "shared");
  EXPECT_NE(Refusal("occupancy_limit", {{"registers", 96.0}, {"threads", 256.0}, {"shared", 98304.0}}), "")
      << "two at once";
}

TEST(QuizLaunchTest, IndicesAreThoseOfTheThreadsOfAKernel) {
  const struct {
    emulator::Dim3 grid, block;
  } shapes[] = {{{3, 1, 1}, {96, 1, 1}}, {{2, 3, 1}, {8, 6, 1}}, {{2, 2, 3}, {5, 3, 4}}};
  for (const auto& [grid, block] : shapes) {
    Emulated kernel("who");
    const size_t threads = grid.Count() * block.Count();
    const auto out = kernel.Buffer(threads * 36);
    kernel.Count(grid, block, {out});
    const std::vector<uint32_t> who = kernel.harness().Download<uint32_t>(out, threads * 9);
    for (size_t i = 0; i < threads; ++i) {
      const auto list = [&](size_t first) {
        const uint32_t* three = &who[9 * i + first];
        return Value(std::vector<double>{double(three[0]), double(three[1]), double(three[2])});
      };
      Values thread = {{"grid_dim", std::vector<double>{double(grid.x), double(grid.y), double(grid.z)}},
                       {"block_dim", std::vector<double>{double(block.x), double(block.y), double(block.z)}},
                       {"block_idx", list(0)},
                       {"thread_idx", list(3)}};
      ASSERT_EQ(Number("global_thread_index", thread), double(i));
      ASSERT_EQ(Number("lane_of_thread", thread), who[9 * i + 6]);
      ASSERT_EQ(Number("warp_of_thread", thread), who[9 * i + 7]);
      thread["axis"] = "x";
      ASSERT_EQ(Number("global_coordinate", thread), who[9 * i + 8]);
    }
  }
}

TEST(QuizLaunchTest, RefusesAThreadThatIsNotThere) {
  const Values thread = {{"block_dim", std::vector<double>{8, 4}}, {"thread_idx", std::vector<double>{8, 0}}};
  EXPECT_NE(Refusal("global_thread_index", thread), "");
  EXPECT_NE(Refusal("lane_of_thread",
                    {{"block_dim", std::vector<double>{1024, 2}}, {"thread_idx", std::vector<double>{0, 0}}}),
            "");
}

TEST(QuizLaunchTest, BlocksCoverEveryElementOnce) {
  for (int n = 1; n < 600; n += 7) {
    for (const int threads : {1, 32, 96, 256}) {
      int blocks = 0;
      while (blocks * threads < n) ++blocks;
      EXPECT_EQ(Number("blocks_for", {{"n", double(n)}, {"threads", double(threads)}}), blocks);
      EXPECT_EQ(Number("idle_threads", {{"n", double(n)}, {"threads", double(threads)}}), blocks * threads - n);
    }
  }
}

TEST(QuizLaunchTest, OverlapIsWhatAScheduleOfThreeEnginesTakes) {
  for (const double in : {2.0, 6.0, 9.0}) {
    for (const double kernel : {1.0, 6.0, 20.0}) {
      for (const int streams : {1, 2, 3, 8}) {
        double copied = 0, computed = 0, returned = 0;  // when each engine is free
        for (int piece = 0; piece < streams; ++piece) {
          copied += in / streams;
          computed = std::max(computed, copied) + kernel / streams;
          returned = std::max(returned, computed) + 4.0 / streams;
        }
        EXPECT_NEAR(Number("overlapped_time",
                           {{"copy_in", in}, {"kernel", kernel}, {"copy_out", 4.0}, {"streams", double(streams)}}),
                    returned, 1e-9);
      }
    }
  }
}

TEST(QuizLaunchTest, WarpsAndThreadsAreThoseOfAKernel) {
  for (const emulator::Dim3 block : {emulator::Dim3{16, 16, 1}, {20, 10, 1}, {5, 5, 5}, {1, 1, 1}}) {
    const emulator::Dim3 grid = {2, 3, 2};
    Emulated kernel("who");
    const size_t threads = grid.Count() * block.Count();
    const auto out = kernel.Buffer(threads * 36);
    kernel.Count(grid, block, {out});
    uint32_t warps = 0;
    const std::vector<uint32_t> who = kernel.harness().Download<uint32_t>(out, threads * 9);
    for (size_t i = 0; i < threads; ++i) warps = std::max(warps, who[9 * i + 7] + 1);
    const Value block_dim = std::vector<double>{double(block.x), double(block.y), double(block.z)};
    EXPECT_EQ(Number("warps_of_block", {{"block_dim", block_dim}}), warps);
    EXPECT_EQ(Number("threads_of_launch", {{"grid_dim", std::vector<double>{2, 3, 2}}, {"block_dim", block_dim}}),
              double(threads));
  }
  EXPECT_NE(Refusal("warps_of_block", {{"block_dim", std::vector<double>{1024, 2}}}), "");
}

TEST(QuizLaunchTest, ImagesHaveABlockForEachPixelAndAPlaceForEachColour) {
  // The chapter's image: 480 rows, 512 columns, blocks of 16 x 16: a grid of 32 x 30.
  const auto blocks = [](double width, double height) {
    return Number("blocks_for_image",
                  {{"width", width}, {"height", height}, {"block_dim", std::vector<double>{16, 16}}});
  };
  EXPECT_EQ(blocks(512, 480), 960);
  EXPECT_EQ(blocks(513, 481), 33 * 31);
  // Writes a small image in both layouts, one element after the other, and looks where each colour is.
  constexpr int kWidth = 5, kHeight = 3;
  for (const char* layout : {"interleaved", "planes"}) {
    const bool planes = std::string_view(layout) == "planes";
    double next = 0;
    for (int outer = 0; outer < (planes ? 3 : kHeight * kWidth); ++outer) {
      for (int inner = 0; inner < (planes ? kHeight * kWidth : 3); ++inner, ++next) {
        const int pixel = planes ? inner : outer, colour = planes ? outer : inner;
        EXPECT_EQ(Number("colour_index", {{"width", double(kWidth)},
                                          {"height", double(kHeight)},
                                          {"row", double(pixel / kWidth)},
                                          {"column", double(pixel % kWidth)},
                                          {"colour", double(colour)},
                                          {"layout", layout}}),
                  next);
      }
    }
  }
  EXPECT_NE(
      Refusal("colour_index",
              {{"width", 5.0}, {"height", 3.0}, {"row", 3.0}, {"column", 0.0}, {"colour", 0.0}, {"layout", "planes"}}),
      "");
}

TEST(QuizLaunchTest, LimitsAreThoseOfThePublishedTables) {
  const auto limit = [](const char* capability, const char* what) {
    return Number("launch_limit", {{"capability", capability}, {"what", what}});
  };
  EXPECT_EQ(limit("1.x", "grid_dimensions"), 2);
  EXPECT_EQ(limit("2.x", "grid_dimensions"), 3);
  EXPECT_EQ(limit("1.x", "threads_per_block"), 512);
  EXPECT_EQ(limit("2.x", "threads_per_block"), 1024);
  EXPECT_EQ(limit("1.x", "blocks_along_y"), 65535);
  EXPECT_EQ(limit("2.x", "blocks_along_y"), 65535);
  EXPECT_EQ(limit("1.x", "threads_along_z"), 64);
  EXPECT_EQ(limit("2.x", "threads_along_z"), 64);
}

// The cases of nvcc's manual, "Virtual Architectures" and "Just-in-Time Compilation".
TEST(QuizLaunchTest, AProgramRunsByMachineCodeOrByPtx) {
  const auto runs = [](double virtual_, std::vector<double> real, double device) {
    return Word("runs_by", {{"virtual", virtual_}, {"real", std::move(real)}, {"device", device}});
  };
  EXPECT_EQ(runs(75, {75, 90}, 75), "machine_code");
  EXPECT_EQ(runs(75, {75, 90}, 90), "machine_code");
  EXPECT_EQ(runs(75, {75, 80}, 89), "machine_code") << "a later minor capability";
  EXPECT_EQ(runs(75, {75, 90}, 80), "ptx") << "no machine code of major capability 8";
  EXPECT_EQ(runs(75, {86}, 80), "ptx") << "machine code of a later minor capability";
  EXPECT_EQ(runs(75, {75, 90}, 120), "ptx");
  EXPECT_EQ(runs(75, {75, 90}, 70), "not_at_all");
}

}  // namespace
}  // namespace warpgrade::quiz
