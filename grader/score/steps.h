// What `warpgrade explain --steps` draws: the values that the threads of one block read and write between barriers, as
// the emulator recorded them. Plain data, which the judge fills.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "grader/score/triple.h"

namespace warpgrade::score {

// An array, as elements of one type.
struct StepArray {
  std::string name;
  enum class Space { kShared, kGlobal, kRegisters } space = Space::kShared;  // registers: an element is a thread
  enum class Type { kBits, kUnsigned, kSigned, kFloat } type = Type::kBits;
  int bytes = 4;          // of an element: 1, 2, 4 or 8
  uint64_t elements = 0;  // 0: not known
};

struct StepValue {
  uint32_t array = 0;  // of BlockSteps::arrays
  uint64_t element = 0;
  uint64_t bits = 0;  // the value
};

struct StepRead {
  uint32_t thread = 0;  // in its block, linear
  StepValue what;
};

struct StepWrite {
  uint32_t thread = 0;
  enum class Does { kStore, kAtomic, kShuffle } does = Does::kStore;
  StepValue what;                  // of a shuffle: what the thread gets
  std::vector<StepValue> sources;  // the first of those that the thread read for it
  uint64_t more_sources = 0;
};

struct BlockStep {
  uint32_t interval = 0;   // how many barriers ended steps before it
  uint32_t part = 0;       // of its warps, within the interval
  std::vector<int> lines;  // of the rung's own file, that read or write
  // Requests of warps, as the counters count them, and the lanes in them.
  uint64_t shared_loads = 0, shared_stores = 0, shared_atomics = 0, shuffles = 0;
  uint64_t shared_load_lanes = 0, shared_store_lanes = 0;
  std::vector<StepRead> reads;
  std::vector<StepWrite> writes;
};

struct BlockSteps {
  std::string kernel;
  uint64_t launch = 0, launches = 0;  // the number of the launch, from 1, of all
  Triple grid, block_size, block;
  std::vector<StepArray> arrays;
  std::vector<BlockStep> steps;
  uint64_t left_out = 0;  // values that were not kept
};

}  // namespace warpgrade::score
