#pragma once

#include <cstddef>
#include <cstdint>

namespace warpgrade::emulator {

inline constexpr uint64_t kFragmentSlice = 4096;
inline constexpr uint64_t kShortestSeededSlice = 32;
inline constexpr uint32_t kSeededSlices = 8;
inline constexpr uint64_t kBlockSlice = 20'000;
inline constexpr size_t kEnoughInFlight = 8;
inline constexpr uint64_t kSpinShare = 64;
inline constexpr uint64_t kPatience = 1'000'000;
inline constexpr uint64_t kSpinningPatience = 20'000;
inline constexpr uint64_t kLaterPatience = 1'000;
inline constexpr uint64_t kSleepCounts = 1'000;
inline constexpr int kHostPatienceMs = 200;

}  // namespace warpgrade::emulator
