// Blocks for tests of the drawing of steps, made as a kernel would have made them.
#pragma once

#include <cstring>
#include <utility>
#include <vector>

#include "grader/score/steps.h"

namespace warpgrade::report {

inline uint64_t BitsOf(float value) {
  uint32_t bits = 0;
  std::memcpy(&bits, &value, sizeof(bits));
  return bits;
}

// A tree over `elements` values 1, 2, 3, ...: first each thread stores its element of d_in in tile. Then element t + s
// of tile is added to element t, for t = 0, 2 s, 4 s, ... and s = 1, 2, 4, ...; thread t does it.
inline score::BlockSteps Tree(uint32_t elements) {
  using score::StepArray;
  score::BlockSteps block{.kernel = "reduce<float>", .launch = 1, .launches = 3};
  block.grid = {100, 1, 1};
  block.block_size = {elements, 1, 1};
  block.arrays = {{"d_in", StepArray::Space::kGlobal, StepArray::Type::kFloat, 4, 100 * elements},
                  {"tile", StepArray::Space::kShared, StepArray::Type::kFloat, 4, elements}};
  std::vector<float> tile(elements);
  score::BlockStep& load = block.steps.emplace_back();
  load.lines = {2};
  for (uint32_t t = 0; t < elements; ++t) {
    tile[t] = static_cast<float>(t + 1);
    const score::StepValue in{0, t, BitsOf(tile[t])};
    load.reads.push_back({t, in});
    load.writes.push_back({.thread = t, .what = {1, t, BitsOf(tile[t])}, .sources = {in}});
  }
  for (uint32_t s = 1; s < elements; s *= 2) {
    score::BlockStep& step = block.steps.emplace_back();
    step.interval = static_cast<uint32_t>(block.steps.size()) - 1;
    step.lines = {3};
    for (uint32_t t = 0; t < elements; t += 2 * s) {
      const score::StepValue own{1, t, BitsOf(tile[t])}, other{1, t + s, BitsOf(tile[t + s])};
      tile[t] += tile[t + s];
      step.reads.insert(step.reads.end(), {{t, own}, {t, other}});
      step.writes.push_back({.thread = t, .what = {1, t, BitsOf(tile[t])}, .sources = {own, other}});
    }
  }
  return block;
}

// One warp whose lane L gets what lane L + 1 offers, and the last lane its own value.
inline score::BlockSteps ShuffleDown() {
  using score::StepArray;
  score::BlockSteps block{.kernel = "k", .launch = 1, .launches = 1};
  block.grid = block.block_size = {1, 1, 1};
  block.block_size.x = 32;
  block.arrays = {{"registers", StepArray::Space::kRegisters, StepArray::Type::kSigned, 4, 0}};
  score::BlockStep& step = block.steps.emplace_back();
  step.shuffles = 1;
  for (uint32_t lane = 0; lane < 32; ++lane) {
    const uint32_t from = lane < 31 ? lane + 1 : lane;
    step.reads.push_back({lane, {0, lane, 100 + lane}});
    step.writes.push_back({.thread = lane,
                           .does = score::StepWrite::Does::kShuffle,
                           .what = {0, lane, 100 + from},
                           .sources = {{0, from, 100 + from}}});
  }
  return block;
}

}  // namespace warpgrade::report
