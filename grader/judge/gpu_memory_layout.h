// How large the judge makes a GPU allocation for a student's buffer, and what it keeps behind it.
//
//    |<--- buffer ---->|<---- guard ---->|
//    |<------ a multiple of 2 MiB ------>|
//
// Allocations of whole 2 MiB units lie in no block that they share with another one: CUDA IPC maps whole blocks into
// the worker, and a worker must not see more than its own buffers. The guard holds the poison, so that a write behind
// the buffer is seen (the emulator needs no guard: it sees the access itself).
#pragma once

#include <cstdint>

namespace warpgrade::judge {

inline constexpr uint64_t kGpuUnitBytes = uint64_t{2} << 20;
inline constexpr uint64_t kGpuLeastGuardBytes = 4096;

constexpr uint64_t GpuAllocationBytes(uint64_t buffer_bytes) {
  return (buffer_bytes + kGpuLeastGuardBytes + kGpuUnitBytes - 1) / kGpuUnitBytes * kGpuUnitBytes;
}
constexpr uint64_t GpuGuardBytes(uint64_t buffer_bytes) { return GpuAllocationBytes(buffer_bytes) - buffer_bytes; }

}  // namespace warpgrade::judge
