// Device memory, and questions about pointers.
#include "grader/cudart/api.h"
#include "grader/cudart/device_limits.h"
#include "grader/cudart/memory_table.h"
#include "grader/cudart/runtime.h"

namespace {

using warpgrade::cudart::Acquire;
using warpgrade::cudart::Call;
using warpgrade::cudart::DevicePtr;
using warpgrade::cudart::MemoryKind;
using warpgrade::cudart::Release;
using warpgrade::cudart::Runtime;

// Rows of `width` bytes, each beginning at texture alignment.
cudaError_t AcquireRows(Runtime& runtime, void** pointer, size_t* pitch, size_t width, size_t rows) {
  constexpr size_t kAlignment = warpgrade::cudart::limits::kPitchAlignment;
  if (width > warpgrade::cudart::limits::kMaxPitch) return cudaErrorInvalidValue;
  const size_t row = (width + kAlignment - 1) / kAlignment * kAlignment;
  size_t bytes = 0;
  if (__builtin_mul_overflow(row, rows, &bytes)) return cudaErrorMemoryAllocation;
  const cudaError_t error = Acquire(runtime, MemoryKind::kDevice, bytes, 0, pointer);
  if (error == cudaSuccess) *pitch = row;
  return error;
}

}  // namespace

extern "C" {

cudaError_t cudaMalloc(void** pointer, size_t bytes) {
  return Call(__func__, [&](Runtime& runtime) { return Acquire(runtime, MemoryKind::kDevice, bytes, 0, pointer); });
}

cudaError_t cudaMallocPitch(void** pointer, size_t* pitch, size_t width, size_t height) {
  return Call(__func__, [&](Runtime& runtime) {
    if (pointer == nullptr || pitch == nullptr) return cudaErrorInvalidValue;
    return AcquireRows(runtime, pointer, pitch, width, height);
  });
}

cudaError_t cudaMalloc3D(cudaPitchedPtr* pitched, cudaExtent extent) {
  return Call(__func__, [&](Runtime& runtime) {
    size_t rows = 0;
    if (pitched == nullptr) return cudaErrorInvalidValue;
    if (__builtin_mul_overflow(extent.height, extent.depth, &rows)) return cudaErrorMemoryAllocation;
    cudaPitchedPtr made{nullptr, 0, extent.width, extent.height};
    const cudaError_t error = AcquireRows(runtime, &made.ptr, &made.pitch, extent.width, rows);
    if (error == cudaSuccess) *pitched = made;
    return error;
  });
}

cudaError_t cudaFree(void* pointer) {
  return Call(__func__, [&](Runtime& runtime) {
    if (pointer == nullptr) return cudaSuccess;
    const auto found = runtime.memory.find(reinterpret_cast<DevicePtr>(pointer));
    if (found != runtime.memory.end() && found->second.kind == MemoryKind::kPinned) {
      return runtime.Explain(cudaErrorInvalidValue, "this is pinned host memory: free it with cudaFreeHost");
    }
    return Release(runtime, reinterpret_cast<DevicePtr>(pointer));
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
    if (const auto allocation = runtime.OnDevice(pointer)) {
      attributes->device = 0;
      attributes->devicePointer = const_cast<void*>(pointer);
      switch (allocation->kind) {
        case MemoryKind::kDevice:
          attributes->type = cudaMemoryTypeDevice;
          attributes->hostPointer = nullptr;
          break;
        case MemoryKind::kPinned:
          attributes->type = cudaMemoryTypeHost;
          break;
        case MemoryKind::kManaged:
          attributes->type = cudaMemoryTypeManaged;
          break;
      }
    } else if (const auto range = runtime.FindRegistered(pointer); range != runtime.registered.end()) {
      attributes->type = cudaMemoryTypeHost;
      attributes->device = 0;
      if (range->second.device != 0) {
        const uintptr_t offset = reinterpret_cast<uintptr_t>(pointer) - range->first;
        attributes->devicePointer = reinterpret_cast<void*>(range->second.device + offset);
      }
    }
    return cudaSuccess;
  });
}

}  // extern "C"
