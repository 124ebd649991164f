// Device memory, and questions about pointers. Every allocation and release goes through Allocations, which also knows
// the other kinds of memory. Tested by tests/cudart/programs_test.cc (programs/memory.cu, pitched_3d.cu).
#include "grader/cudart/allocations.h"
#include "grader/cudart/api/api.h"
#include "grader/cudart/call.h"
#include "grader/cudart/device_link.h"
#include "grader/cudart/registered_memory.h"
#include "grader/cudart/work_queue.h"
#include "grader/device_model/gpu_limits.h"

namespace {

using warpgrade::cudart::AcquireAfterWork;
using warpgrade::cudart::Call;
using warpgrade::cudart::DevicePtr;
using warpgrade::cudart::MemoryKind;
using warpgrade::cudart::OrderOp;
using warpgrade::cudart::OwnedMemory;
using warpgrade::cudart::RegisteredRange;
using warpgrade::cudart::Runtime;

// Rows of `width` bytes, each beginning at texture alignment.
cudaError_t AcquireRows(Runtime& runtime, void** pointer, size_t* pitch, size_t width, size_t rows) {
  constexpr size_t kAlignment = warpgrade::gpu_limits::kPitchAlignment;
  if (width > warpgrade::gpu_limits::kMaxPitch) return cudaErrorInvalidValue;
  const size_t row = (width + kAlignment - 1) / kAlignment * kAlignment;
  size_t bytes = 0;
  if (__builtin_mul_overflow(row, rows, &bytes)) return cudaErrorMemoryAllocation;
  const cudaError_t error = AcquireAfterWork(runtime, MemoryKind::kDevice, bytes, 0, pointer);
  if (error == cudaSuccess) *pitch = row;
  return error;
}

}  // namespace

extern "C" {

cudaError_t cudaMalloc(void** pointer, size_t bytes) {
  return Call(__func__,
              [&](Runtime& runtime) { return AcquireAfterWork(runtime, MemoryKind::kDevice, bytes, 0, pointer); });
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
    const OwnedMemory* owned = runtime.allocations.FindStart(pointer);
    if (owned != nullptr && owned->kind == MemoryKind::kPinned) {
      return runtime.errors.Explain(cudaErrorInvalidValue, "this is pinned host memory: free it with cudaFreeHost");
    }
    // It waits for the device, unless the memory is in the care of a stream.
    const bool of_pool = owned != nullptr && owned->pool != nullptr;
    if (!of_pool) {
      const cudaError_t done = runtime.queue.WaitForAll(runtime);
      if (done != cudaSuccess) return done;
    }
    runtime.device.Order(of_pool ? OrderOp::kHostGivesBack : OrderOp::kHostWaitsAll, 0,
                         reinterpret_cast<DevicePtr>(pointer));
    return runtime.allocations.Release(reinterpret_cast<DevicePtr>(pointer));
  });
}

cudaError_t cudaMemGetInfo(size_t* free_bytes, size_t* total_bytes) {
  return Call(__func__, [&](Runtime& runtime) {
    if (free_bytes == nullptr || total_bytes == nullptr) return cudaErrorInvalidValue;
    return runtime.device.backend().MemoryInfo(free_bytes, total_bytes);
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
    if (const auto allocation = runtime.allocations.OnDevice(pointer)) {
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
    } else if (const RegisteredRange* range = runtime.registered.Find(pointer)) {
      attributes->type = cudaMemoryTypeHost;
      attributes->device = 0;
      if (range->copy != 0) {
        const uintptr_t offset = reinterpret_cast<uintptr_t>(pointer) - range->begin;
        attributes->devicePointer = reinterpret_cast<void*>(range->copy + offset);
      }
    }
    return cudaSuccess;
  });
}

}  // extern "C"
