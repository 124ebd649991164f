// Host memory that kernels can reach. Pinned memory is allocated here, and kernels use its own address. Registered
// memory is the program's own, and kernels use a copy (registered_memory.h). Tested by tests/cudart/programs_test.cc
// (programs/host_memory.cu).
#include "grader/cudart/allocations.h"
#include "grader/cudart/api/api.h"
#include "grader/cudart/call.h"
#include "grader/cudart/device_link.h"
#include "grader/cudart/registered_memory.h"
#include "grader/cudart/work_queue.h"

namespace {

using warpgrade::cudart::AcquireAfterWork;
using warpgrade::cudart::Call;
using warpgrade::cudart::DevicePtr;
using warpgrade::cudart::MemoryKind;
using warpgrade::cudart::OrderOp;
using warpgrade::cudart::OwnedMemory;
using warpgrade::cudart::RegisteredRange;
using warpgrade::cudart::Runtime;

}  // namespace

extern "C" {

cudaError_t cudaMallocHost(void** pointer, size_t bytes) {
  return Call(__func__, [&](Runtime& runtime) {
    return AcquireAfterWork(runtime, MemoryKind::kPinned, bytes, cudaHostAllocMapped, pointer);
  });
}

// With unified addressing all pinned memory is mapped, even without the flag.
cudaError_t cudaHostAlloc(void** pointer, size_t bytes, unsigned flags) {
  constexpr unsigned kKnown = cudaHostAllocPortable | cudaHostAllocMapped | cudaHostAllocWriteCombined;
  return Call(__func__, [&](Runtime& runtime) {
    if ((flags & ~kKnown) != 0) return cudaErrorInvalidValue;
    return AcquireAfterWork(runtime, MemoryKind::kPinned, bytes, flags | cudaHostAllocMapped, pointer);
  });
}

cudaError_t cudaFreeHost(void* pointer) {
  return Call(__func__, [&](Runtime& runtime) {
    if (pointer == nullptr) return cudaSuccess;
    const OwnedMemory* owned = runtime.allocations.FindStart(pointer);
    if (owned != nullptr && owned->kind != MemoryKind::kPinned) {
      return runtime.errors.Explain(cudaErrorInvalidValue, "this is not pinned host memory: free it with cudaFree");
    }
    const cudaError_t done = runtime.queue.WaitForAll(runtime);
    if (done != cudaSuccess) return done;
    runtime.device.Order(OrderOp::kHostWaitsAll);  // as cudaFree
    return runtime.allocations.Release(reinterpret_cast<DevicePtr>(pointer));
  });
}

cudaError_t cudaHostRegister(void* pointer, size_t bytes, unsigned flags) {
  constexpr unsigned kKnown = cudaHostRegisterPortable | cudaHostRegisterMapped | cudaHostRegisterReadOnly;
  return Call(__func__, [&](Runtime& runtime) {
    if (pointer == nullptr || bytes == 0 || (flags & ~kKnown) != 0) return cudaErrorInvalidValue;
    const auto* last = static_cast<const char*>(pointer) + bytes - 1;
    const bool taken = runtime.registered.Find(pointer) != nullptr || runtime.registered.Find(last) != nullptr ||
                       runtime.allocations.FindPinned(pointer) != nullptr;
    if (taken) return cudaErrorHostMemoryAlreadyRegistered;
    runtime.registered.Add(pointer, bytes, flags | cudaHostRegisterMapped);
    return cudaSuccess;
  });
}

cudaError_t cudaHostUnregister(void* pointer) {
  return Call(__func__, [&](Runtime& runtime) {
    const cudaError_t done = runtime.queue.WaitForAll(runtime);
    return done != cudaSuccess ? done : runtime.registered.Remove(pointer);
  });
}

cudaError_t cudaHostGetFlags(unsigned* flags, void* pointer) {
  return Call(__func__, [&](Runtime& runtime) {
    if (flags == nullptr) return cudaErrorInvalidValue;
    if (const RegisteredRange* range = runtime.registered.Find(pointer)) {
      *flags = range->flags;
      return cudaSuccess;
    }
    const OwnedMemory* pinned = runtime.allocations.FindPinned(pointer);
    if (pinned == nullptr) return cudaErrorInvalidValue;
    *flags = pinned->flags;
    return cudaSuccess;
  });
}

cudaError_t cudaHostGetDevicePointer(void** device_pointer, void* pointer, unsigned flags) {
  return Call(__func__, [&](Runtime& runtime) {
    if (device_pointer == nullptr || flags != 0) return cudaErrorInvalidValue;
    if (runtime.allocations.FindPinned(pointer) != nullptr) {
      *device_pointer = pointer;
      return cudaSuccess;
    }
    RegisteredRange* range = runtime.registered.Find(pointer);
    if (range == nullptr) {
      return runtime.errors.Explain(cudaErrorInvalidValue,
                                    "this is neither memory from cudaHostAlloc nor registered by cudaHostRegister");
    }
    return runtime.registered.DevicePointerOf(*range, pointer, device_pointer);
  });
}

}  // extern "C"
