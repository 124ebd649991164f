// Device memory, pinned host memory, and questions about pointers.
#include <fmt/format.h>

#include <cstdlib>

#include "grader/cudart/api.h"
#include "grader/cudart/device_limits.h"
#include "grader/cudart/runtime.h"

namespace {

using warpgrade::cudart::AllocationInfo;
using warpgrade::cudart::Call;
using warpgrade::cudart::DevicePtr;
using warpgrade::cudart::Runtime;

cudaError_t Allocate(Runtime& runtime, void** pointer, size_t bytes) {
  if (pointer == nullptr) return cudaErrorInvalidValue;
  DevicePtr address = 0;
  const cudaError_t error = runtime.backend().Allocate(bytes, &address);
  if (error != cudaSuccess) return error;
  if (address != 0) runtime.allocations.insert(address);
  *pointer = reinterpret_cast<void*>(address);
  return cudaSuccess;
}

cudaError_t Free(Runtime& runtime, void* pointer) {
  if (pointer == nullptr) return cudaSuccess;
  const auto address = reinterpret_cast<DevicePtr>(pointer);
  if (runtime.allocations.erase(address) == 0) {
    return runtime.Explain(cudaErrorInvalidValue,
                           fmt::format("{:#x} is not a pointer that cudaMalloc gave, or it was freed before", address));
  }
  return runtime.backend().Free(address);
}

cudaError_t AllocateHost(Runtime& runtime, void** pointer, size_t bytes, unsigned flags) {
  constexpr size_t kPage = 4096;
  constexpr unsigned kKnown = cudaHostAllocPortable | cudaHostAllocMapped | cudaHostAllocWriteCombined;
  if (pointer == nullptr || (flags & ~kKnown) != 0) return cudaErrorInvalidValue;
  if ((flags & cudaHostAllocMapped) != 0) {
    return runtime.Explain(cudaErrorNotSupported, "the emulator cannot map host memory into the device yet");
  }
  *pointer = nullptr;
  if (bytes == 0) return cudaSuccess;
  if (bytes > SIZE_MAX - kPage) return cudaErrorMemoryAllocation;
  void* memory = std::aligned_alloc(kPage, (bytes + kPage - 1) / kPage * kPage);
  if (memory == nullptr) return cudaErrorMemoryAllocation;
  runtime.host_allocations[reinterpret_cast<uintptr_t>(memory)] = {bytes, flags, /*registered=*/false};
  *pointer = memory;
  return cudaSuccess;
}

}  // namespace

extern "C" {

cudaError_t cudaMalloc(void** pointer, size_t bytes) {
  return Call(__func__, [&](Runtime& runtime) { return Allocate(runtime, pointer, bytes); });
}

cudaError_t cudaMallocAsync(void** pointer, size_t bytes, cudaStream_t stream) {
  return Call(__func__, [&](Runtime& runtime) {
    return runtime.IsStream(stream) ? Allocate(runtime, pointer, bytes) : cudaErrorInvalidResourceHandle;
  });
}

cudaError_t cudaMallocPitch(void** pointer, size_t* pitch, size_t width, size_t height) {
  return Call(__func__, [&](Runtime& runtime) {
    constexpr size_t kAlignment = warpgrade::cudart::limits::kPitchAlignment;
    if (pointer == nullptr || pitch == nullptr || width > warpgrade::cudart::limits::kMaxPitch) {
      return cudaErrorInvalidValue;
    }
    const size_t row = (width + kAlignment - 1) / kAlignment * kAlignment;
    size_t bytes = 0;
    if (__builtin_mul_overflow(row, height, &bytes)) return cudaErrorMemoryAllocation;
    const cudaError_t error = Allocate(runtime, pointer, bytes);
    if (error == cudaSuccess) *pitch = row;
    return error;
  });
}

cudaError_t cudaMallocManaged(void**, size_t, unsigned) {
  return Call(__func__, [&](Runtime& runtime) {
    return runtime.Explain(cudaErrorNotSupported,
                           "the emulator has no managed memory yet; use cudaMalloc and cudaMemcpy");
  });
}

cudaError_t cudaFree(void* pointer) {
  return Call(__func__, [&](Runtime& runtime) { return Free(runtime, pointer); });
}

cudaError_t cudaFreeAsync(void* pointer, cudaStream_t stream) {
  return Call(__func__, [&](Runtime& runtime) {
    return runtime.IsStream(stream) ? Free(runtime, pointer) : cudaErrorInvalidResourceHandle;
  });
}

cudaError_t cudaMallocHost(void** pointer, size_t bytes) {
  return Call(__func__, [&](Runtime& runtime) { return AllocateHost(runtime, pointer, bytes, cudaHostAllocDefault); });
}

cudaError_t cudaHostAlloc(void** pointer, size_t bytes, unsigned flags) {
  return Call(__func__, [&](Runtime& runtime) { return AllocateHost(runtime, pointer, bytes, flags); });
}

cudaError_t cudaFreeHost(void* pointer) {
  return Call(__func__, [&](Runtime& runtime) {
    if (pointer == nullptr) return cudaSuccess;
    const auto found = runtime.host_allocations.find(reinterpret_cast<uintptr_t>(pointer));
    if (found == runtime.host_allocations.end() || found->second.registered) {
      return runtime.Explain(cudaErrorInvalidValue, "not a pointer that cudaMallocHost or cudaHostAlloc gave");
    }
    runtime.host_allocations.erase(found);
    std::free(pointer);
    return cudaSuccess;
  });
}

cudaError_t cudaHostRegister(void* pointer, size_t bytes, unsigned flags) {
  return Call(__func__, [&](Runtime& runtime) {
    if (pointer == nullptr || bytes == 0) return cudaErrorInvalidValue;
    if ((flags & cudaHostRegisterMapped) != 0) {
      return runtime.Explain(cudaErrorNotSupported, "the emulator cannot map host memory into the device yet");
    }
    if (runtime.FindHost(pointer) != runtime.host_allocations.end()) return cudaErrorHostMemoryAlreadyRegistered;
    runtime.host_allocations[reinterpret_cast<uintptr_t>(pointer)] = {bytes, flags, /*registered=*/true};
    return cudaSuccess;
  });
}

cudaError_t cudaHostUnregister(void* pointer) {
  return Call(__func__, [&](Runtime& runtime) {
    const auto found = runtime.host_allocations.find(reinterpret_cast<uintptr_t>(pointer));
    if (found == runtime.host_allocations.end() || !found->second.registered) return cudaErrorHostMemoryNotRegistered;
    runtime.host_allocations.erase(found);
    return cudaSuccess;
  });
}

cudaError_t cudaHostGetFlags(unsigned* flags, void* pointer) {
  return Call(__func__, [&](Runtime& runtime) {
    const auto found = runtime.FindHost(pointer);
    if (flags == nullptr || found == runtime.host_allocations.end()) return cudaErrorInvalidValue;
    *flags = found->second.flags;
    return cudaSuccess;
  });
}

cudaError_t cudaMemGetInfo(size_t* free_bytes, size_t* total_bytes) {
  return Call(__func__, [&](Runtime& runtime) {
    if (free_bytes == nullptr || total_bytes == nullptr) return cudaErrorInvalidValue;
    return runtime.backend().MemoryInfo(free_bytes, total_bytes);
  });
}

cudaError_t cudaPointerGetAttributes(cudaPointerAttributes* attributes, const void* pointer) {
  return Call(__func__, [&](Runtime& runtime) {
    if (attributes == nullptr) return cudaErrorInvalidValue;
    *attributes = {};
    attributes->device = cudaInvalidDeviceId;
    attributes->type = cudaMemoryTypeUnregistered;
    attributes->hostPointer = const_cast<void*>(pointer);
    if (pointer == nullptr) return cudaSuccess;
    if (runtime.OnDevice(pointer)) {
      attributes->type = cudaMemoryTypeDevice;
      attributes->device = 0;
      attributes->devicePointer = const_cast<void*>(pointer);
      attributes->hostPointer = nullptr;
    } else if (runtime.FindHost(pointer) != runtime.host_allocations.end()) {
      attributes->type = cudaMemoryTypeHost;
      attributes->device = 0;
    }
    return cudaSuccess;
  });
}

}  // extern "C"
