#include "grader/emulator/machine/kept_registers.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <memory>
#include <utility>
#include <vector>

#include "grader/emulator/machine/control.h"

namespace warpgrade::emulator {
namespace {

// A launch of a kernel with a frame of `frame_bytes`, in blocks of `warps`.
class Launch {
 public:
  Launch(uint32_t frame_bytes, size_t warps) {
    program_.functions.emplace_back().frame_bytes = frame_bytes;
    shared_.program = &program_;
    shared_.warp_threads.resize(warps);
  }
  // A block whose warps have started, with their registers in `kept`.
  std::unique_ptr<Block> Start(KeptRegisters kept) {
    std::unique_ptr<Block> block = MakeBlock(shared_, std::move(kept));
    for (size_t w = 0; w < block->warps.size(); ++w) StartWarp(shared_, block->warps[w], static_cast<int32_t>(w));
    return block;
  }

 private:
  Program program_;
  LaunchShared shared_;
};

TEST(KeptRegistersTest, GivesTheNextLaunchTheSameMemoryWithoutItsValues) {
  Launch large(4096, 2), small(2048, 2);
  std::unique_ptr<Block> before = large.Start({});
  const uint8_t* const registers = before->warps[1].frames[0].registers;
  std::fill_n(before->warps[1].frames[0].registers, 4096, uint8_t{7});
  std::unique_ptr<Block> after = small.Start(KeepRegisters(*before));
  EXPECT_EQ(after->warps[1].frames[0].registers, registers);
  EXPECT_EQ(std::count(registers, registers + 2048, 0), 2048);
}

TEST(KeptRegistersTest, LetsTheNextLaunchHaveMoreWarpsAndMoreRegisters) {
  Launch small(1024, 1), large(4096, 3);
  std::unique_ptr<Block> before = small.Start({});
  std::fill_n(before->warps[0].frames[0].registers, 1024, uint8_t{7});
  std::unique_ptr<Block> after = large.Start(KeepRegisters(*before));
  ASSERT_EQ(after->warps.size(), 3u);
  for (const Warp& warp : after->warps) {
    const uint8_t* const registers = warp.frames[0].registers;
    EXPECT_EQ(std::count(registers, registers + 4096, 0), 4096) << warp.index;
  }
}

TEST(KeptRegistersTest, LetsTheNextLaunchHaveFewerWarps) {
  Launch large(1024, 3), small(1024, 1);
  std::unique_ptr<Block> before = large.Start({});
  EXPECT_EQ(small.Start(KeepRegisters(*before))->warps.size(), 1u);
}

TEST(KeptRegistersTest, DoesNotHoldTheMemoryOfAHugeBlock) {
  constexpr uint32_t kMegabyte = 1 << 20;
  Launch huge(kMegabyte, 32);
  std::unique_ptr<Block> block = huge.Start({});
  size_t bytes = 0;
  for (const std::vector<uint8_t>& storage : KeepRegisters(*block)) bytes += storage.size();
  EXPECT_GT(bytes, 0u);
  EXPECT_LE(bytes, 16 * kMegabyte);
}

}  // namespace
}  // namespace warpgrade::emulator
