// Operations against memory: matrix products by the emulator's counters, tiles by counting their elements.
#include <gtest/gtest.h>

#include <cmath>
#include <set>

#include "tests/quiz/ask.h"
#include "tests/quiz/emulated.h"

namespace warpgrade::quiz {
namespace {

TEST(QuizArithmeticTest, FlopsPerLoadAreWhatTheEmulatorCounts) {
  constexpr int kN = 32;
  const struct {
    const char* kernel;
    uint32_t rows, columns;  // of results that share their loads
    uint32_t block_x, block_y;
  } cases[] = {{"multiply_1x1", 1, 1, 8, 8},
               {"multiply_8x8", 8, 8, 8, 8},
               {"multiply_16x16", 16, 16, 16, 16},
               {"multiply_8x32", 8, 32, 32, 8}};
  for (const auto& c : cases) {
    Emulated kernel(c.kernel);
    const auto matrix = [&] { return kernel.Buffer(kN * kN * 4); };
    const emulator::Counters counted =
        kernel.Count({kN / c.block_x, kN / c.block_y}, {c.block_x, c.block_y}, {matrix(), matrix(), matrix(), kN});
    const double flops = 2.0 * double(counted.ffma) + double(counted.fadd) + double(counted.fmul);
    EXPECT_EQ(flops, 2.0 * kN * kN * kN);
    EXPECT_DOUBLE_EQ(Number("matmul_flops_per_load", {{"rows", double(c.rows)}, {"columns", double(c.columns)}}),
                     flops / (double(counted.global_load_bytes) / 4))
        << c.kernel;
  }
}

TEST(QuizArithmeticTest, ATileWithItsHaloIsTheSetOfWhatItsPointsTouch) {
  for (const int width : {1, 4, 16}) {
    for (const int height : {1, 3, 8}) {
      for (const int radius : {0, 1, 2}) {
        std::set<std::pair<int, int>> square, cross;
        for (int y = 0; y < height; ++y) {
          for (int x = 0; x < width; ++x) {
            for (int d = -radius; d <= radius; ++d) {
              cross.insert({y, x + d});
              if (height > 1) cross.insert({y + d, x});
              for (int e = -radius; e <= radius; ++e) square.insert({height > 1 ? y + d : y, x + e});
            }
          }
        }
        Values tile = {{"width", double(width)}, {"height", double(height)}, {"radius", double(radius)}};
        EXPECT_EQ(Number("tile_loads", tile), double(square.size()));
        EXPECT_DOUBLE_EQ(Number("tile_loads_per_result", tile), double(square.size()) / (width * height));
        tile["shape"] = "cross";
        EXPECT_EQ(Number("tile_loads", tile), double(cross.size())) << width << " " << height << " " << radius;
      }
    }
  }
}

TEST(QuizArithmeticTest, TheRooflineIsTheLowerOfTwoTimes) {
  for (const double flops : {1.0, 10.0, 500.0}) {
    for (const double bandwidth : {320.0, 4800.0}) {
      const double bytes = 8, peak = 10000;
      // Seconds for 10^9 elements, either way.
      const double memory_s = bytes / bandwidth, compute_s = flops / peak;
      const Values point = {{"flops", flops}, {"bytes", bytes}, {"bandwidth", bandwidth}, {"peak", peak}};
      EXPECT_NEAR(Number("roofline_gflops", point), flops / std::max(memory_s, compute_s), 1e-6);
      EXPECT_EQ(Word("roofline_bound", point), memory_s > compute_s ? "memory" : "compute");
      EXPECT_NEAR(Number("gflops_at_bandwidth", {{"flops", flops}, {"bytes", bytes}, {"bandwidth", bandwidth}}),
                  flops / memory_s, 1e-6);
      const double ridge = Number("ridge_point", {{"bandwidth", bandwidth}, {"peak", peak}});
      EXPECT_NEAR(ridge * bandwidth, peak, 1e-6);
    }
  }
  EXPECT_DOUBLE_EQ(Number("microseconds_at_bandwidth", {{"n", 1e6}, {"bytes", 4.0}, {"bandwidth", 4000.0}}), 1);
}

TEST(QuizArithmeticTest, OnTheRidgeThereIsNoAnswer) {
  EXPECT_NE(Refusal("roofline_bound", {{"flops", 10.0}, {"bytes", 1.0}, {"bandwidth", 100.0}, {"peak", 1000.0}}), "");
}

}  // namespace
}  // namespace warpgrade::quiz
