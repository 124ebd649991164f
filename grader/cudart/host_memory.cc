// Host memory that is pinned (made here, and reached by kernels at its own address) or registered (the program's own,
// reached through a copy: see RegisteredMemory). Tested by tests/cudart/programs_test.cc (programs/host_memory.cu).
#include "grader/cudart/api.h"
#include "grader/cudart/memory_table.h"
#include "grader/cudart/runtime.h"

namespace {

using warpgrade::cudart::Acquire;
using warpgrade::cudart::Call;
using warpgrade::cudart::DevicePtr;
using warpgrade::cudart::FindOwned;
using warpgrade::cudart::MemoryKind;
using warpgrade::cudart::RegisteredMemory;
using warpgrade::cudart::Release;
using warpgrade::cudart::Runtime;

bool IsPinned(Runtime& runtime, const void* pointer) {
  const auto found = FindOwned(runtime, pointer);
  return found != runtime.memory.end() && found->second.kind == MemoryKind::kPinned;
}

// The address of byte `offset` of the device's copy of a registered range, made now if it was not before.
cudaError_t DeviceCopyOf(Runtime& runtime, RegisteredMemory& range, uintptr_t offset, void** pointer) {
  if (range.device == 0) {
    const cudaError_t error = runtime.backend().Allocate(range.bytes, &range.device);
    if (error != cudaSuccess) return error;
  }
  *pointer = reinterpret_cast<void*>(range.device + offset);
  return cudaSuccess;
}

}  // namespace

extern "C" {

cudaError_t cudaMallocHost(void** pointer, size_t bytes) {
  return Call(__func__, [&](Runtime& runtime) {
    return Acquire(runtime, MemoryKind::kPinned, bytes, cudaHostAllocMapped, pointer);
  });
}

// With unified addressing all of it is mapped, asked or not.
cudaError_t cudaHostAlloc(void** pointer, size_t bytes, unsigned flags) {
  constexpr unsigned kKnown = cudaHostAllocPortable | cudaHostAllocMapped | cudaHostAllocWriteCombined;
  return Call(__func__, [&](Runtime& runtime) {
    if ((flags & ~kKnown) != 0) return cudaErrorInvalidValue;
    return Acquire(runtime, MemoryKind::kPinned, bytes, flags | cudaHostAllocMapped, pointer);
  });
}

cudaError_t cudaFreeHost(void* pointer) {
  return Call(__func__, [&](Runtime& runtime) {
    if (pointer == nullptr) return cudaSuccess;
    const auto found = runtime.memory.find(reinterpret_cast<DevicePtr>(pointer));
    if (found != runtime.memory.end() && found->second.kind != MemoryKind::kPinned) {
      return runtime.Explain(cudaErrorInvalidValue, "this is not pinned host memory: free it with cudaFree");
    }
    return Release(runtime, reinterpret_cast<DevicePtr>(pointer));
  });
}

cudaError_t cudaHostRegister(void* pointer, size_t bytes, unsigned flags) {
  constexpr unsigned kKnown = cudaHostRegisterPortable | cudaHostRegisterMapped | cudaHostRegisterReadOnly;
  return Call(__func__, [&](Runtime& runtime) {
    if (pointer == nullptr || bytes == 0 || (flags & ~kKnown) != 0) return cudaErrorInvalidValue;
    const auto* last = static_cast<const char*>(pointer) + bytes - 1;
    const bool taken = runtime.FindRegistered(pointer) != runtime.registered.end() ||
                       runtime.FindRegistered(last) != runtime.registered.end() || IsPinned(runtime, pointer);
    if (taken) return cudaErrorHostMemoryAlreadyRegistered;
    runtime.registered[reinterpret_cast<uintptr_t>(pointer)] = {bytes, flags | cudaHostRegisterMapped};
    return cudaSuccess;
  });
}

cudaError_t cudaHostUnregister(void* pointer) {
  return Call(__func__, [&](Runtime& runtime) {
    const auto found = runtime.registered.find(reinterpret_cast<uintptr_t>(pointer));
    if (found == runtime.registered.end()) return cudaErrorHostMemoryNotRegistered;
    const DevicePtr copy = found->second.device;
    runtime.registered.erase(found);
    return copy == 0 ? cudaSuccess : runtime.backend().Free(copy);
  });
}

cudaError_t cudaHostGetFlags(unsigned* flags, void* pointer) {
  return Call(__func__, [&](Runtime& runtime) {
    if (flags == nullptr) return cudaErrorInvalidValue;
    if (const auto range = runtime.FindRegistered(pointer); range != runtime.registered.end()) {
      *flags = range->second.flags;
      return cudaSuccess;
    }
    if (!IsPinned(runtime, pointer)) return cudaErrorInvalidValue;
    *flags = FindOwned(runtime, pointer)->second.flags;
    return cudaSuccess;
  });
}

cudaError_t cudaHostGetDevicePointer(void** device_pointer, void* pointer, unsigned flags) {
  return Call(__func__, [&](Runtime& runtime) {
    if (device_pointer == nullptr || flags != 0) return cudaErrorInvalidValue;
    if (IsPinned(runtime, pointer)) {
      *device_pointer = pointer;
      return cudaSuccess;
    }
    const auto range = runtime.FindRegistered(pointer);
    if (range == runtime.registered.end()) {
      return runtime.Explain(cudaErrorInvalidValue,
                             "this is neither memory from cudaHostAlloc nor registered by cudaHostRegister");
    }
    return DeviceCopyOf(runtime, range->second, reinterpret_cast<uintptr_t>(pointer) - range->first, device_pointer);
  });
}

}  // extern "C"
