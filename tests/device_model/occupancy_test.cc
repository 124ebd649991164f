#include "grader/device_model/occupancy.h"

#include <gtest/gtest.h>

namespace warpgrade {
namespace {

const ComputeCapability& Of(const char* gpu) { return (*FindDeviceModel(gpu))->capability; }

// Worked by hand from the table of compute capability 9.0: 64 warps, 32 blocks, 65536 registers in units of 256 per
// warp, 228 KB of shared memory of which each block costs 1 KB more than it asks for.
TEST(OccupancyTest, IsLimitedByWarpsBlocksRegistersOrSharedMemory) {
  KernelNeeds kernel{.registers = 32};
  EXPECT_EQ(ResidentBlocks(kernel, Of("h200"), 256, 0), 8) << "64 warps / 8";
  EXPECT_EQ(ResidentBlocks(kernel, Of("h200"), 1024, 0), 2) << "64 warps / 32";
  EXPECT_EQ(ResidentBlocks(kernel, Of("h200"), 32, 0), 32) << "32 blocks";
  kernel.registers = 64;
  EXPECT_EQ(ResidentBlocks(kernel, Of("h200"), 256, 0), 4) << "65536 / (64 x 256)";
  kernel.registers = 33;
  EXPECT_EQ(ResidentBlocks(kernel, Of("h200"), 256, 0), 6)
      << "33 registers are allocated as 40: 51 warps, 48 of them in fours";
  kernel.registers = 32;
  EXPECT_EQ(ResidentBlocks(kernel, Of("h200"), 256, 48 * 1024), 4) << "228 / (48 + 1)";
  EXPECT_EQ(ResidentBlocks(kernel, Of("h200"), 256, 227 * 1024), 1);
  EXPECT_EQ(ResidentBlocks(kernel, Of("h200"), 256, 227 * 1024 + 1), 0);
  EXPECT_EQ(ResidentBlocks(kernel, Of("h200"), 1025, 0), 0);
}

TEST(OccupancyTest, SharedMemoryForSomeResidentBlocksIsTheMostThatKeepsThem) {
  KernelNeeds kernel{.registers = 32};
  kernel.static_shared_bytes = 512;
  EXPECT_EQ(SharedForResidentBlocks(kernel, Of("h200"), 9, 256), std::nullopt);
  for (int blocks : {1, 2, 3, 4, 7, 8}) {
    const uint64_t bytes = SharedForResidentBlocks(kernel, Of("h200"), blocks, 256).value();
    EXPECT_GE(ResidentBlocks(kernel, Of("h200"), 256, bytes), blocks);
    EXPECT_LT(ResidentBlocks(kernel, Of("h200"), 256, bytes + 1), blocks);
  }
}

// By hand from the table of each compute capability: what runs out first is named.
TEST(OccupancyTest, FollowsTheGpuThatTheDeviceStandsFor) {
  KernelNeeds kernel{.registers = 32};
  EXPECT_EQ(ResidentBlocks(kernel, Of("t4"), 256, 0), 4) << "32 warps / 8";
  EXPECT_EQ(ResidentBlocks(kernel, Of("t4"), 32, 0), 16) << "16 blocks";
  EXPECT_EQ(ResidentBlocks(kernel, Of("t4"), 128, 16 * 1024), 4) << "64 / 16: nothing is reserved";
  EXPECT_EQ(ResidentBlocks(kernel, Of("a100"), 256, 0), 8) << "64 warps / 8";
  EXPECT_EQ(ResidentBlocks(kernel, Of("a100"), 128, 40 * 1024), 4) << "164 / (40 + 1)";
  EXPECT_EQ(ResidentBlocks(kernel, Of("rtx3090"), 256, 0), 6) << "48 warps / 8";
  EXPECT_EQ(ResidentBlocks(kernel, Of("rtx3090"), 1024, 0), 1) << "1536 threads";
  EXPECT_EQ(ResidentBlocks(kernel, Of("rtx3090"), 32, 0), 16) << "16 blocks";
  EXPECT_EQ(ResidentBlocks(kernel, Of("rtx4090"), 32, 0), 24) << "24 blocks";
  EXPECT_EQ(ResidentBlocks(kernel, Of("l4"), 64, 99 * 1024), 1) << "100 / (99 + 1)";
  EXPECT_EQ(ResidentBlocks(kernel, Of("l4"), 64, 99 * 1024 + 1), 0);
}

}  // namespace
}  // namespace warpgrade
