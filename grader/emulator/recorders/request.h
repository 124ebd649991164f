// One request of a warp to memory, with the address of each lane, and what it costs.
#pragma once

#include <array>
#include <compare>
#include <cstdint>

#include "grader/emulator/program/program.h"

namespace warpgrade::emulator {

enum class RequestSpace : uint8_t { kShared, kGlobal };

inline constexpr uint32_t kBanks = 32, kBankBytes = 4, kSectorBytes = 32;

struct Request {
  RequestSpace space = RequestSpace::kGlobal;
  AccessDirection direction = AccessDirection::kLoad;
  int bytes = 0;       // of each lane
  LaneMask lanes = 0;  // those that access memory
  // Of each such lane: an address of global memory, or an offset in the block's shared memory.
  std::array<uint64_t, kLanes> at{};
};

struct RequestCost {
  uint32_t cost = 0;    // in shared memory: turns of its banks, called wavefronts; in global memory: sectors
  uint32_t fewest = 0;  // the fewest for as many lanes and bytes
  friend auto operator<=>(const RequestCost&, const RequestCost&) = default;
};

// How many parts of a warp shared memory serves one after the other, for accesses of this size: 1 up to 4 bytes, 2 for
// 8 bytes, 4 for 16 bytes.
int PartsOfWarp(int bytes);

// REQUIRES: at least one lane; addresses are multiples of `bytes`, which is a power of two up to 32.
RequestCost CostOf(const Request& request);

}  // namespace warpgrade::emulator
