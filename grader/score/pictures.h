// What `warpgrade explain` and the page of --html draw: single requests to memory and steps of warps, as the emulator
// recorded them. Plain data, which the judge fills.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "grader/score/steps.h"
#include "grader/score/triple.h"

namespace warpgrade::score {

// One request of a warp to memory.
struct MemoryRequest {
  int bytes = 0;       // of each lane
  uint32_t lanes = 0;  // those that access memory, as a mask
  // One for each of these lanes, in order. In shared memory: an offset in the memory of the block. In global memory: an
  // offset in `array`, which starts where a line of 128 bytes starts, or an address if `array` is "".
  std::vector<uint64_t> at;
  std::string array;  // "d_in"
  std::string kernel;
  Triple block, block_size;
  int warp = 0;  // in its block
  uint64_t cost = 0, fewest = 0;
};

// How many requests of a line cost the same.
struct RequestsOfCost {
  uint64_t cost = 0, fewest = 0, count = 0;
};

// All requests of one line to one space that do the same. They cost turns (wavefronts) in shared memory, and sectors in
// global memory.
struct LineRequests {
  int line = 0;
  bool in_shared = false;  // false: in global memory
  enum class Does { kLoad, kStore, kAtomic } does = Does::kLoad;
  uint64_t requests = 0, cost = 0, fewest = 0;  // sums. `fewest`: for as many lanes and bytes in each request
  std::vector<RequestsOfCost> costs;            // the most frequent first
  MemoryRequest shown;  // the first of those that cost most above the fewest; if none does, of the most frequent ones
  uint64_t Above() const { return cost - fewest; }
};

// One execution of a branch by lanes of a warp. All members are masks of lanes.
struct BranchStep {
  uint32_t alive = 0;   // those that have not ended
  uint32_t at = 0;      // those that are at the branch
  uint32_t inside = 0;  // of these, those that go on in the loop or do the work of the `if`
};

// All executions of the branches of one line.
struct LineBranches {
  int line = 0;
  uint64_t executed = 0, divergent = 0;  // sums over all warps
  // The warp whose lanes went both ways most often, at one branch of the line.
  std::string kernel;
  Triple block, block_size;
  int warp = 0;
  uint64_t warp_executed = 0, warp_divergent = 0;
  std::vector<BranchStep> steps;  // its first ones
};

// One of the two accesses of a race.
struct RaceAccess {
  int line = 0;      // of the rung's own file; 0: elsewhere
  std::string verb;  // "read", "wrote", "did an atomic on"
  Triple block, thread;
  int warp = 0, lane = 0;  // of the thread
};

// Two accesses that nothing orders.
struct RaceOfTwo {
  std::string kernel;
  std::string place;         // "tile[33]"
  std::string reach;         // "warp", "block" or "grid": what must be ordered, as the finding's message says
  RaceAccess first, second;  // in the order of the lines
  int barrier_line = 0;      // a barrier before this line would order them; 0: none would, or several
};

struct Pictures {
  std::string case_name;               // of the run that was recorded
  std::vector<LineRequests> requests;  // this and the next: of the rung's own file, by line
  std::vector<LineBranches> branches;  // of lines with a branch at which lanes went both ways
  std::vector<RaceOfTwo> races;        // in the order of the findings
  std::vector<BlockSteps> steps;       // none or one
  uint64_t launches_with_steps = 0;    // how many launches there were while steps were recorded
};

}  // namespace warpgrade::score
