// What the program allocated: making, finding and releasing it on the device and, for memory that the host reaches too,
// in this process. The API functions over it are in allocation.cc, host_memory.cc, managed_memory.cc, memory_pool.cc.
#pragma once

#include <driver_types.h>

#include "grader/cudart/runtime.h"

namespace warpgrade::cudart {

// Allocates `bytes` and enters them into Runtime::memory as made by `runtime.api`; 0 bytes give a null pointer.
cudaError_t Acquire(Runtime& runtime, MemoryKind kind, uint64_t bytes, unsigned flags, void** pointer);

// Frees what Acquire gave. cudaErrorInvalidValue: `address` is no such address; kept as a finding (double-free,
// invalid-free) that says what it is.
cudaError_t Release(Runtime& runtime, DevicePtr address);

// The entry of Runtime::memory that contains the address, or end().
std::map<DevicePtr, OwnedMemory>::iterator FindOwned(Runtime& runtime, const void* pointer);

// Gives the host the device's address range [base, base + bytes) of shared memory. cudaErrorMemoryAllocation,
// explained: this process uses those addresses otherwise.
cudaError_t MapShared(Runtime& runtime, DevicePtr base, uint64_t bytes);
void UnmapShared(DevicePtr base, uint64_t bytes);

// Before and after a launch: see RegisteredMemory.
cudaError_t SendRegistered(Runtime& runtime);
cudaError_t FetchRegistered(Runtime& runtime);

}  // namespace warpgrade::cudart
