// What users of a device may know about an allocation in device memory.
#pragma once

#include <cstdint>
#include <string>

namespace warpgrade::emulator {

using DevicePtr = uint64_t;

// Who can reach an allocation, besides kernels.
enum class MemoryKind : uint8_t {
  kDevice,   // nobody
  kPinned,   // the host, at the device's address: cudaHostAlloc
  kManaged,  // the host, at the device's address: cudaMallocManaged, __managed__ variables
};

struct AllocationInfo {
  DevicePtr base = 0;
  uint64_t bytes = 0;
  std::string label;      // as given to Allocate, or the name of a module's variable
  uint64_t sequence = 0;  // of allocation: 1, 2, ...
  MemoryKind kind = MemoryKind::kDevice;
};

}  // namespace warpgrade::emulator
