// Tested by tests/emulator/kept_registers_test.cc and exec/grid_test.cc.
#include "grader/emulator/machine/kept_registers.h"

#include <algorithm>
#include <utility>

#include "grader/emulator/machine/control.h"

namespace warpgrade::emulator {
namespace {

constexpr size_t kMostKeptBytes = size_t{16} << 20;

}  // namespace

std::unique_ptr<Block> MakeBlock(const LaunchShared& launch, KeptRegisters kept) {
  auto block = std::make_unique<Block>();
  block->warps.resize(launch.warp_threads.size());
  kept.resize(std::min(kept.size(), block->warps.size()));
  const size_t used = FrameStorageBytes(launch.program->functions[0]);
  for (size_t w = 0; w < kept.size(); ++w) {
    std::fill_n(kept[w].begin(), std::min(used, kept[w].size()), uint8_t{0});
    block->warps[w].frame_bytes = kept[w].size();
    block->warps[w].frames.emplace_back().storage = std::move(kept[w]);
  }
  return block;
}

KeptRegisters KeepRegisters(Block& block) {
  KeptRegisters kept;
  size_t bytes = 0;
  for (Warp& warp : block.warps) {
    bytes += warp.frames[0].storage.size();
    if (bytes > kMostKeptBytes) break;
    kept.push_back(std::move(warp.frames[0].storage));
  }
  return kept;
}

}  // namespace warpgrade::emulator
