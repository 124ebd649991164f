// The size of a GPU allocation for a student's buffer, and the guard behind the buffer.
//
//    |<--- buffer ---->|<---- guard ---->|
//    |<------ a multiple of 2 MiB ------>|
//
// CUDA IPC maps whole blocks into the worker, and a worker must see nothing but its own buffers. An allocation of whole
// 2 MiB units shares no block with another allocation. The guard holds poison, so that a write behind the buffer is
// noticed. (The emulator needs no guard: it sees the access itself.)
#pragma once

#include <cstdint>

namespace warpgrade::judge {

inline constexpr uint64_t kGpuUnitBytes = uint64_t{2} << 20;
inline constexpr uint64_t kGpuLeastGuardBytes = 4096;
inline constexpr uint64_t kGpuMostGuardBytes = kGpuUnitBytes + kGpuLeastGuardBytes;

constexpr uint64_t GpuAllocationBytes(uint64_t buffer_bytes) {
  return (buffer_bytes + kGpuLeastGuardBytes + kGpuUnitBytes - 1) / kGpuUnitBytes * kGpuUnitBytes;
}
constexpr uint64_t GpuGuardBytes(uint64_t buffer_bytes) { return GpuAllocationBytes(buffer_bytes) - buffer_bytes; }

}  // namespace warpgrade::judge
