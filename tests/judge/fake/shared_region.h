// A stand-in for device memory: one shared file, mapped at the same address by the judge's FakeDevice and by the fake
// CUDA runtime in the worker.
#pragma once

#include <atomic>
#include <cstdint>

namespace warpgrade::judge::fake {

inline constexpr uint64_t kRegionAddress = 0x7e00'0000'0000 >> 1;
inline constexpr uint64_t kRegionBytes = uint64_t{64} << 20;
inline constexpr int kRegionFdInWorker = 4;

// How many of a student's "kernels" run. At the region's end, where no buffer lies.
inline std::atomic<int>& RunningKernels() {
  return *reinterpret_cast<std::atomic<int>*>(kRegionAddress + kRegionBytes - sizeof(std::atomic<int>));
}

}  // namespace warpgrade::judge::fake
