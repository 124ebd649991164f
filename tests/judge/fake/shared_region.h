// A stand-in for device memory: one shared file, mapped at the same address by the judge's FakeDevice and by the fake
// CUDA runtime in the worker.
#pragma once

#include <cstdint>

namespace warpgrade::judge::fake {

inline constexpr uint64_t kRegionAddress = 0x7e00'0000'0000 >> 1;
inline constexpr uint64_t kRegionBytes = uint64_t{64} << 20;
inline constexpr int kRegionFdInWorker = 4;

}  // namespace warpgrade::judge::fake
