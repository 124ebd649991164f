// Managed memory: host and kernels use the same bytes at the same address, so nothing migrates. Prefetches and advice
// are checked and kept for later queries, and have no other effect. Tested by tests/cudart/programs_test.cc
// (programs/managed_memory.cu, memory_queries.cu).
#include "grader/cudart/allocations.h"
#include "grader/cudart/api/api.h"
#include "grader/cudart/stream_work.h"

namespace {

using warpgrade::cudart::AcquireAfterWork;
using warpgrade::cudart::Advice;
using warpgrade::cudart::AllocationInfo;
using warpgrade::cudart::Call;
using warpgrade::cudart::DevicePtr;
using warpgrade::cudart::Enqueue;
using warpgrade::cudart::MemoryKind;
using warpgrade::cudart::Runtime;

bool IsPlace(const cudaMemLocation& location) {
  switch (location.type) {
    case cudaMemLocationTypeDevice:
      return location.id == 0;
    case cudaMemLocationTypeHost:
    case cudaMemLocationTypeHostNuma:
    case cudaMemLocationTypeHostNumaCurrent:
      return true;
    default:
      return false;
  }
}

int DeviceIdOf(const cudaMemLocation& location) {
  return location.type == cudaMemLocationTypeDevice ? location.id : cudaCpuDeviceId;
}

// The first address of the managed allocation or variable that holds the whole range; 0 when there is none.
DevicePtr ManagedAround(Runtime& runtime, const void* pointer, size_t count) {
  const std::optional<AllocationInfo> found = runtime.allocations.OnDevice(pointer);
  const auto address = reinterpret_cast<DevicePtr>(pointer);
  const bool managed = found && found->kind == MemoryKind::kManaged && count > 0;
  return managed && found->bytes - (address - found->base) >= count ? found->base : 0;
}

cudaError_t NotManaged(Runtime& runtime) {
  return runtime.errors.Explain(cudaErrorInvalidValue, "the range is not inside one allocation of managed memory");
}

cudaError_t Advise(Advice* advice, cudaMemoryAdvise what, const cudaMemLocation& location) {
  switch (what) {
    case cudaMemAdviseSetReadMostly:
    case cudaMemAdviseUnsetReadMostly:
      advice->read_mostly = what == cudaMemAdviseSetReadMostly;
      return cudaSuccess;
    case cudaMemAdviseSetPreferredLocation:
      if (!IsPlace(location)) return cudaErrorInvalidDevice;
      advice->preferred_location = DeviceIdOf(location);
      return cudaSuccess;
    case cudaMemAdviseUnsetPreferredLocation:
      advice->preferred_location = cudaInvalidDeviceId;
      return cudaSuccess;
    case cudaMemAdviseSetAccessedBy:
    case cudaMemAdviseUnsetAccessedBy:
      if (!IsPlace(location)) return cudaErrorInvalidDevice;
      advice->accessed_by = what == cudaMemAdviseSetAccessedBy ? DeviceIdOf(location) : cudaInvalidDeviceId;
      return cudaSuccess;
  }
  return cudaErrorInvalidValue;
}

cudaError_t RangeAttribute(Runtime& runtime, void* data, size_t size, cudaMemRangeAttribute attribute,
                           const void* pointer, size_t count) {
  if (data == nullptr || size < sizeof(int) || size % sizeof(int) != 0) return cudaErrorInvalidValue;
  const DevicePtr base = ManagedAround(runtime, pointer, count);
  if (base == 0) return NotManaged(runtime);
  const Advice advice = runtime.allocations.AdviceOf(base);
  int* values = static_cast<int*>(data);
  switch (attribute) {
    case cudaMemRangeAttributeReadMostly:
      *values = advice.read_mostly;
      return cudaSuccess;
    case cudaMemRangeAttributePreferredLocation:
      *values = advice.preferred_location;
      return cudaSuccess;
    case cudaMemRangeAttributeLastPrefetchLocation:
      *values = advice.last_prefetch;
      return cudaSuccess;
    case cudaMemRangeAttributeAccessedBy:
      for (size_t i = 0; i < size / sizeof(int); ++i) values[i] = i == 0 ? advice.accessed_by : cudaInvalidDeviceId;
      return cudaSuccess;
    default:
      return runtime.errors.Explain(cudaErrorNotSupported,
                                    "the emulator knows the attributes ReadMostly, PreferredLocation, "
                                    "AccessedBy and LastPrefetchLocation");
  }
}

}  // namespace

extern "C" {

cudaError_t cudaMallocManaged(void** pointer, size_t bytes, unsigned flags) {
  return Call(__func__, [&](Runtime& runtime) {
    if (bytes == 0 || (flags != cudaMemAttachGlobal && flags != cudaMemAttachHost)) return cudaErrorInvalidValue;
    return AcquireAfterWork(runtime, MemoryKind::kManaged, bytes, flags, pointer);
  });
}

cudaError_t cudaMemPrefetchAsync(const void* pointer, size_t count, cudaMemLocation location, unsigned flags,
                                 cudaStream_t stream) {
  return Enqueue(__func__, stream, cudaGraphNodeTypeMemcpy, [=](Runtime& runtime) {
    if (flags != 0) return cudaErrorInvalidValue;
    if (!IsPlace(location)) return cudaErrorInvalidDevice;
    const DevicePtr base = ManagedAround(runtime, pointer, count);
    if (base == 0) return NotManaged(runtime);
    runtime.allocations.AdviceOf(base).last_prefetch = DeviceIdOf(location);
    return cudaSuccess;
  });
}

cudaError_t cudaMemAdvise(const void* pointer, size_t count, cudaMemoryAdvise advice, cudaMemLocation location) {
  return Call(__func__, [&](Runtime& runtime) {
    const DevicePtr base = ManagedAround(runtime, pointer, count);
    return base == 0 ? NotManaged(runtime) : Advise(&runtime.allocations.AdviceOf(base), advice, location);
  });
}

cudaError_t cudaMemRangeGetAttribute(void* data, size_t size, cudaMemRangeAttribute attribute, const void* pointer,
                                     size_t count) {
  return Call(__func__,
              [&](Runtime& runtime) { return RangeAttribute(runtime, data, size, attribute, pointer, count); });
}

cudaError_t cudaMemRangeGetAttributes(void** data, size_t* sizes, cudaMemRangeAttribute* attributes, size_t number,
                                      const void* pointer, size_t count) {
  return Call(__func__, [&](Runtime& runtime) {
    if (data == nullptr || sizes == nullptr || attributes == nullptr || number == 0) return cudaErrorInvalidValue;
    cudaError_t error = cudaSuccess;
    for (size_t i = 0; i < number && error == cudaSuccess; ++i) {
      error = RangeAttribute(runtime, data[i], sizes[i], attributes[i], pointer, count);
    }
    return error;
  });
}

cudaError_t cudaStreamAttachMemAsync(cudaStream_t stream, void* pointer, size_t length, unsigned flags) {
  return Enqueue(__func__, stream, cudaGraphNodeTypeEmpty, [=](Runtime& runtime) {
    if (flags != cudaMemAttachGlobal && flags != cudaMemAttachHost && flags != cudaMemAttachSingle) {
      return cudaErrorInvalidValue;
    }
    return ManagedAround(runtime, pointer, length == 0 ? 1 : length) == 0 ? NotManaged(runtime) : cudaSuccess;
  });
}

}  // extern "C"
