// The memory that the program allocated and has not freed, of every kind that an API function makes: device, pinned and
// managed. Memory that the host reaches too is mapped into this process.
#pragma once

#include <driver_types.h>

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <unordered_map>

#include "grader/cudart/device/backend.h"

namespace warpgrade::cudart {

class Captures;
class DeviceLink;
class ErrorState;
struct MemoryPool;

struct OwnedMemory {
  uint64_t bytes = 0;
  MemoryKind kind = MemoryKind::kDevice;
  const char* api = "";              // the function that made it
  unsigned flags = 0;                // of cudaHostAlloc or cudaMallocManaged
  uint64_t sequence = 0;             // 1, 2, ... in the order of allocation
  std::shared_ptr<MemoryPool> pool;  // that it counts under; nullptr: none
};

// The latest values that cudaMemAdvise and cudaMemPrefetchAsync set for a managed allocation. Devices are given by
// their numbers.
struct Advice {
  bool read_mostly = false;
  int preferred_location = cudaInvalidDeviceId;
  int accessed_by = cudaInvalidDeviceId;
  int last_prefetch = cudaInvalidDeviceId;
};

// Thread-compatible: Runtime::mutex guards it.
class Allocations {
 public:
  Allocations(DeviceLink& device, Captures& captures, ErrorState& errors)
      : device_(device), captures_(captures), errors_(errors) {}

  // Allocates `bytes` and keeps them as made by the running API function; 0 bytes give a null pointer. `pool`, when
  // given, counts them. Errors: those of Backend::Allocate, MapShared and Captures::CheckUnsafe.
  cudaError_t Acquire(MemoryKind kind, uint64_t bytes, unsigned flags, void** pointer,
                      std::shared_ptr<MemoryPool> pool = nullptr);

  // Frees what Acquire gave. cudaErrorInvalidValue: `address` is no such address; that is a finding (double-free or
  // invalid-free), which says what the address is.
  cudaError_t Release(DevicePtr address);
  void ReleaseAll();

  // The allocation that starts at `pointer`; nullptr: there is none.
  const OwnedMemory* FindStart(const void* pointer) const;
  // The pinned allocation that contains `pointer`; nullptr: there is none.
  const OwnedMemory* FindPinned(const void* pointer) const;

  // The live allocation or module variable on the device that contains `pointer`; nullopt: it is not device memory.
  std::optional<AllocationInfo> OnDevice(const void* pointer);

  // The advice for the managed allocation or variable that starts at `base`.
  Advice& AdviceOf(DevicePtr base) { return advice_[base]; }

  // All live allocations, by their addresses. Host and device share an address, except for MemoryKind::kDevice.
  const std::map<DevicePtr, OwnedMemory>& live() const { return live_; }

 private:
  // The allocation that contains `address`, or live_.end().
  std::map<DevicePtr, OwnedMemory>::const_iterator Around(DevicePtr address) const;
  emulator::Finding WrongFree(DevicePtr address) const;

  DeviceLink& device_;
  Captures& captures_;
  ErrorState& errors_;
  std::map<DevicePtr, OwnedMemory> live_;
  std::map<DevicePtr, OwnedMemory> freed_;  // freed recently, and not allocated again
  uint64_t made_ = 0;
  std::unordered_map<DevicePtr, Advice> advice_;
};

}  // namespace warpgrade::cudart
