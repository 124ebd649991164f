// Which thread made a memory access, and when within its block. The race check keeps one for each place in memory.
#pragma once

#include <cstdint>

namespace warpgrade::emulator {

// Bits from the top: block:24 epoch:16 tick:13 warp:5 lane:5 many:1. Never 0, because epochs start at 1.
using AccessId = uint64_t;
inline constexpr uint64_t kManyLanes = 1;  // several lanes of the warp; `lane` is the first of them
inline constexpr uint32_t kMaxTick = (1u << 13) - 1, kMaxEpoch = (1u << 16) - 1;

inline AccessId MakeAccessId(uint64_t block, uint32_t epoch, uint32_t tick, uint32_t warp) {
  return (block & 0xFFFFFF) << 40 | static_cast<uint64_t>(epoch) << 24 | static_cast<uint64_t>(tick) << 11 |
         static_cast<uint64_t>(warp) << 6;
}
inline AccessId WithLane(AccessId id, uint32_t lane) { return id | lane << 1; }
inline uint32_t BlockOf(AccessId id) { return static_cast<uint32_t>(id >> 40); }
inline uint32_t EpochOf(AccessId id) { return static_cast<uint32_t>(id >> 24) & kMaxEpoch; }
inline uint32_t TickOf(AccessId id) { return static_cast<uint32_t>(id >> 11) & kMaxTick; }
inline uint32_t WarpOf(AccessId id) { return static_cast<uint32_t>(id >> 6) & 31; }
inline uint32_t LaneOf(AccessId id) { return static_cast<uint32_t>(id >> 1) & 31; }
inline bool IsMany(AccessId id) { return (id & kManyLanes) != 0; }
// Equal for accesses of one thread.
inline uint64_t ThreadBits(AccessId id) { return id & 0xFFFFFF00000007FFu; }

}  // namespace warpgrade::emulator
