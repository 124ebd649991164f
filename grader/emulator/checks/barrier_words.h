// Says in terms of source lines where a barrier is missing that would order the accesses of a race.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "grader/emulator/program/barrier_place.h"

namespace warpgrade::emulator {

// Two accesses that race: indices in the body of their function.
struct RacePair {
  int32_t a = -1, b = -1;
};

struct BarrierAdvice {
  std::string lacks;         // ends the message: ", with no __syncthreads() between the two"
  std::string advice;        // "put a __syncthreads() before line 12, ..."
  int line = 0;              // the barrier belongs before this line; 0: there are two, or its line is not known
  int32_t at = -1;           // and before this instruction; -1: not known
  bool reads_first = false;  // no way leads from a write to a read
};

// The advice for all `pairs`, which race in the same two lines. `warp` asks for a __syncwarp(). REQUIRES: `places` is
// known and is about `function`, which contains all pairs; there is at least one.
BarrierAdvice AdviseBarrier(const BarrierPlaces& places, const ptx::Function& function,
                            const std::vector<RacePair>& pairs, bool warp);

}  // namespace warpgrade::emulator
