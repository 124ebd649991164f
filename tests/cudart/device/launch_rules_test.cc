// The limits of a launch at their edges, each on both sides, and emulated time.
#include "grader/cudart/device/launch_rules.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "grader/cudart/device/time_model.h"

namespace warpgrade::cudart {
namespace {

emulator::KernelInfo PlainKernel() {
  emulator::KernelInfo info;
  info.registers = 32;
  return info;
}

Launch Shape(emulator::Dim3 grid, emulator::Dim3 block, uint32_t shared_bytes = 0) {
  Launch launch;
  launch.grid = grid;
  launch.block = block;
  launch.dynamic_shared_bytes = shared_bytes;
  return launch;
}

cudaError_t Check(const Launch& launch) { return CheckLaunch(launch, PlainKernel(), DeviceFacts()).error; }

TEST(LaunchRulesTest, AcceptsTheLargestOfEachDimension) {
  EXPECT_EQ(Check(Shape({2147483647, 1, 1}, {1, 1, 1})), cudaSuccess);
  EXPECT_EQ(Check(Shape({1, 65535, 65535}, {1, 1, 1})), cudaSuccess);
  EXPECT_EQ(Check(Shape({1, 1, 1}, {1024, 1, 1})), cudaSuccess);
  EXPECT_EQ(Check(Shape({1, 1, 1}, {1, 1024, 1})), cudaSuccess);
  EXPECT_EQ(Check(Shape({1, 1, 1}, {4, 4, 64})), cudaSuccess);
  EXPECT_EQ(Check(Shape({1, 1, 1}, {1, 1, 1}, 227 * 1024)), cudaSuccess);
}

TEST(LaunchRulesTest, GivesInvalidConfigurationForADimensionThatIsZeroOrTooLarge) {
  for (const Launch& launch :
       {Shape({0, 1, 1}, {1, 1, 1}), Shape({1, 0, 1}, {1, 1, 1}), Shape({1, 1, 0}, {1, 1, 1}),
        Shape({1, 1, 1}, {0, 1, 1}), Shape({1, 1, 1}, {1, 0, 1}), Shape({1, 1, 1}, {1, 1, 0}),
        Shape({2147483648u, 1, 1}, {1, 1, 1}), Shape({1, 65536, 1}, {1, 1, 1}), Shape({1, 1, 65536}, {1, 1, 1}),
        Shape({1, 1, 1}, {1025, 1, 1}), Shape({1, 1, 1}, {1, 1, 65}), Shape({1, 1, 1}, {33, 32, 1}),
        Shape({1, 1, 1}, {65536, 65536, 1})}) {
    EXPECT_EQ(Check(launch), cudaErrorInvalidConfiguration);
  }
}

TEST(LaunchRulesTest, NamesTheNumberThatIsTooLarge) {
  EXPECT_THAT(CheckLaunch(Shape({1, 1, 1}, {2048, 1, 1}), PlainKernel(), DeviceFacts()).reason,
              testing::AllOf(testing::HasSubstr("blockDim.x"), testing::HasSubstr("2048"), testing::HasSubstr("1024")));
}

TEST(LaunchRulesTest, SaysWhatToDoAboutAGridOfNoBlocks) {
  EXPECT_EQ(CheckLaunch(Shape({0, 1, 1}, {1, 1, 1}), PlainKernel(), DeviceFacts()).reason,
            "gridDim.x is 0; it must be at least 1: round the number of blocks up, and treat an empty input by itself");
  EXPECT_EQ(CheckLaunch(Shape({1, 1, 1}, {0, 1, 1}), PlainKernel(), DeviceFacts()).reason,
            "blockDim.x is 0; it must be at least 1");
}

TEST(LaunchRulesTest, GivesInvalidValueForMoreSharedMemoryThanTheDeviceHas) {
  EXPECT_EQ(Check(Shape({1, 1, 1}, {1, 1, 1}, 227 * 1024 + 1)), cudaErrorInvalidValue);
  emulator::KernelInfo kernel = PlainKernel();
  kernel.static_shared_bytes = 16;
  EXPECT_EQ(CheckLaunch(Shape({1, 1, 1}, {1, 1, 1}, 227 * 1024), kernel, DeviceFacts()).error, cudaErrorInvalidValue);
}

TEST(LaunchRulesTest, DoesNotInventANumberForSharedMemoryBeyondFourGigabytes) {
  emulator::KernelInfo kernel = PlainKernel();
  kernel.static_shared_bytes = 0xffffffff;  // what the emulator has for `__shared__ char a[1000000000000]`
  EXPECT_EQ(CheckLaunch(Shape({1, 1, 1}, {1, 1, 1}), kernel, DeviceFacts()).reason,
            "4 GB of shared memory per block or more; the device has at most 232448 bytes");
}

TEST(LaunchRulesTest, GivesInvalidValueForAParameterBlockOfAnotherSize) {
  emulator::KernelInfo kernel = PlainKernel();
  kernel.parameter_bytes = 8;
  EXPECT_EQ(CheckLaunch(Shape({1, 1, 1}, {1, 1, 1}), kernel, DeviceFacts()).error, cudaErrorInvalidValue);
}

TEST(LaunchRulesTest, GivesOutOfResourcesAboveTheKernelsLaunchBounds) {
  emulator::KernelInfo kernel = PlainKernel();
  kernel.max_threads_per_block = 256;
  EXPECT_EQ(CheckLaunch(Shape({1, 1, 1}, {256, 1, 1}), kernel, DeviceFacts()).error, cudaSuccess);
  EXPECT_EQ(CheckLaunch(Shape({1, 1, 1}, {257, 1, 1}), kernel, DeviceFacts()).error, cudaErrorLaunchOutOfResources);
}

TEST(LaunchRulesTest, RefusesACooperativeGridThatIsNotResidentAtOnce) {
  Launch launch = Shape({132 * 8, 1, 1}, {256, 1, 1});
  launch.cooperative = true;
  EXPECT_EQ(Check(launch), cudaSuccess);
  launch.grid.x += 1;
  EXPECT_EQ(Check(launch), cudaErrorCooperativeLaunchTooLarge);
  launch.cooperative = false;
  EXPECT_EQ(Check(launch), cudaSuccess);
}

TEST(LaunchRulesTest, AllowsAsMuchSharedMemoryAsTheGpuHas) {
  DeviceFacts t4;
  t4.model = *FindDeviceModel("t4");
  EXPECT_EQ(CheckLaunch(Shape({1, 1, 1}, {1, 1, 1}, 64 * 1024), PlainKernel(), t4).error, cudaSuccess);
  EXPECT_EQ(CheckLaunch(Shape({1, 1, 1}, {1, 1, 1}, 64 * 1024 + 1), PlainKernel(), t4).error, cudaErrorInvalidValue);
}

TEST(TimeModelTest, GrowsWithTheResourceThatTakesLongest) {
  emulator::Counters streaming;
  streaming.global_load_sectors = 4'800'000'000 / 32;  // 4.8 GB at 4.8 TB/s
  EXPECT_NEAR(double(LaunchNanoseconds(streaming, DefaultDeviceModel(), 132)), 1e6 + 2000, 1e3);
  emulator::Counters conflicts = streaming;
  conflicts.shared_load_wavefronts = 4'000'000'000;
  EXPECT_GT(LaunchNanoseconds(conflicts, DefaultDeviceModel(), 132),
            LaunchNanoseconds(streaming, DefaultDeviceModel(), 132));
}

}  // namespace
}  // namespace warpgrade::cudart
