// Allocation in stream order, and the pools that it comes from (memory_pools.h): their attributes, who may access them,
// and which of them is current. Tested by tests/cudart/programs_test.cc (programs/memory_pools.cu, memory_queries.cu).
#include <fmt/format.h>

#include <memory>
#include <utility>

#include "grader/cudart/allocations.h"
#include "grader/cudart/api/api.h"
#include "grader/cudart/call.h"
#include "grader/cudart/captures.h"
#include "grader/cudart/memory_pools.h"
#include "grader/cudart/streams.h"
#include "grader/cudart/work_queue.h"

namespace {

using warpgrade::cudart::Call;
using warpgrade::cudart::DevicePtr;
using warpgrade::cudart::MemoryKind;
using warpgrade::cudart::MemoryPool;
using warpgrade::cudart::OrderOp;
using warpgrade::cudart::Runtime;

cudaError_t CheckStream(Runtime& runtime, cudaStream_t stream) {
  if (!runtime.streams.IsLive(stream)) return cudaErrorInvalidResourceHandle;
  if (runtime.captures.Of(stream) == nullptr) return cudaSuccess;
  return runtime.errors.Explain(cudaErrorNotSupported,
                                "the emulator cannot capture allocations; make them before the capture");
}

cudaError_t AcquireFrom(Runtime& runtime, cudaMemPool_t pool, void** pointer, size_t bytes, cudaStream_t stream) {
  std::shared_ptr<MemoryPool> found = runtime.pools.Find(pool);
  if (found == nullptr) return cudaErrorInvalidValue;
  const cudaError_t error = CheckStream(runtime, stream);
  if (error != cudaSuccess) return error;
  const cudaError_t acquired = runtime.allocations.Acquire(MemoryKind::kDevice, bytes, 0, pointer, std::move(found));
  if (acquired == cudaSuccess) runtime.streams.Order(OrderOp::kTake, stream, reinterpret_cast<DevicePtr>(*pointer));
  return acquired;
}

cudaError_t DeviceZero(int device) { return device == 0 ? cudaSuccess : cudaErrorInvalidDevice; }

bool IsFlag(cudaMemPoolAttr attribute) {
  return attribute == cudaMemPoolReuseFollowEventDependencies || attribute == cudaMemPoolReuseAllowOpportunistic ||
         attribute == cudaMemPoolReuseAllowInternalDependencies;
}

}  // namespace

extern "C" {

cudaError_t cudaMallocAsync(void** pointer, size_t bytes, cudaStream_t stream) {
  return Call(__func__, [&](Runtime& runtime) {
    return AcquireFrom(runtime, runtime.pools.current_handle(), pointer, bytes, stream);
  });
}

cudaError_t cudaMallocFromPoolAsync(void** pointer, size_t bytes, cudaMemPool_t pool, cudaStream_t stream) {
  return Call(__func__, [&](Runtime& runtime) { return AcquireFrom(runtime, pool, pointer, bytes, stream); });
}

cudaError_t cudaFreeAsync(void* pointer, cudaStream_t stream) {
  return Call(__func__, [&](Runtime& runtime) {
    const cudaError_t error = CheckStream(runtime, stream);
    if (error != cudaSuccess || pointer == nullptr) return error;
    const auto address = reinterpret_cast<DevicePtr>(pointer);
    runtime.streams.Order(OrderOp::kGiveBack, stream, address);
    runtime.streams.Use(stream);
    return runtime.queue.Do(runtime, [address](Runtime& r) { return r.allocations.Release(address); });
  });
}

cudaError_t cudaMemPoolCreate(cudaMemPool_t* pool, const cudaMemPoolProps* properties) {
  return Call(__func__, [&](Runtime& runtime) {
    if (pool == nullptr || properties == nullptr || properties->allocType != cudaMemAllocationTypePinned) {
      return cudaErrorInvalidValue;
    }
    if (properties->handleTypes != cudaMemHandleTypeNone) {
      return runtime.errors.Explain(cudaErrorNotSupported,
                                    "the emulator's memory pools cannot be shared between processes");
    }
    if (properties->location.type != cudaMemLocationTypeDevice) {
      return runtime.errors.Explain(cudaErrorNotSupported, "the emulator's memory pools are on the device");
    }
    const cudaError_t error = DeviceZero(properties->location.id);
    if (error != cudaSuccess) return error;
    *pool = runtime.pools.Create();
    return cudaSuccess;
  });
}

cudaError_t cudaMemPoolDestroy(cudaMemPool_t pool) {
  return Call(__func__,
              [&](Runtime& runtime) { return runtime.pools.Destroy(pool) ? cudaSuccess : cudaErrorInvalidValue; });
}

cudaError_t cudaMemPoolTrimTo(cudaMemPool_t pool, size_t) {
  return Call(__func__, [&](Runtime& runtime) {
    return runtime.pools.Find(pool) == nullptr ? cudaErrorInvalidValue : cudaSuccess;
  });
}

cudaError_t cudaMemPoolSetAttribute(cudaMemPool_t handle, cudaMemPoolAttr attribute, void* value) {
  return Call(__func__, [&](Runtime& runtime) {
    const std::shared_ptr<MemoryPool> pool = runtime.pools.Find(handle);
    if (pool == nullptr || value == nullptr) return cudaErrorInvalidValue;
    if (IsFlag(attribute)) {
      pool->flags[attribute] = *static_cast<const int*>(value) != 0;
      return cudaSuccess;
    }
    const uint64_t number = *static_cast<const uint64_t*>(value);
    switch (attribute) {
      case cudaMemPoolAttrReleaseThreshold:
        pool->release_threshold = number;
        return cudaSuccess;
      case cudaMemPoolAttrReservedMemHigh:
      case cudaMemPoolAttrUsedMemHigh:
        if (number != 0) return cudaErrorInvalidValue;  // only a reset is allowed
        pool->most_used_bytes = pool->used_bytes;
        return cudaSuccess;
      default:
        return cudaErrorInvalidValue;
    }
  });
}

cudaError_t cudaMemPoolGetAttribute(cudaMemPool_t handle, cudaMemPoolAttr attribute, void* value) {
  return Call(__func__, [&](Runtime& runtime) {
    const std::shared_ptr<MemoryPool> pool = runtime.pools.Find(handle);
    if (pool == nullptr || value == nullptr) return cudaErrorInvalidValue;
    if (IsFlag(attribute)) {
      const auto found = pool->flags.find(attribute);
      *static_cast<int*>(value) = found == pool->flags.end() || found->second;
      return cudaSuccess;
    }
    auto* number = static_cast<uint64_t*>(value);
    switch (attribute) {
      case cudaMemPoolAttrReleaseThreshold:
        *number = pool->release_threshold;
        return cudaSuccess;
      case cudaMemPoolAttrReservedMemCurrent:
      case cudaMemPoolAttrUsedMemCurrent:
        *number = pool->used_bytes;
        return cudaSuccess;
      case cudaMemPoolAttrReservedMemHigh:
      case cudaMemPoolAttrUsedMemHigh:
        *number = pool->most_used_bytes;
        return cudaSuccess;
      default:
        return cudaErrorInvalidValue;
    }
  });
}

cudaError_t cudaMemPoolSetAccess(cudaMemPool_t pool, const cudaMemAccessDesc* descriptions, size_t count) {
  return Call(__func__, [&](Runtime& runtime) {
    if (runtime.pools.Find(pool) == nullptr || (descriptions == nullptr && count != 0)) return cudaErrorInvalidValue;
    for (size_t i = 0; i < count; ++i) {
      const cudaMemAccessDesc& wanted = descriptions[i];
      if (wanted.location.type != cudaMemLocationTypeDevice || wanted.location.id != 0) return cudaErrorInvalidDevice;
      if (wanted.flags != cudaMemAccessFlagsProtReadWrite) return cudaErrorInvalidValue;  // its own device keeps access
    }
    return cudaSuccess;
  });
}

cudaError_t cudaMemPoolGetAccess(cudaMemAccessFlags* flags, cudaMemPool_t pool, cudaMemLocation* location) {
  return Call(__func__, [&](Runtime& runtime) {
    if (flags == nullptr || location == nullptr || runtime.pools.Find(pool) == nullptr) return cudaErrorInvalidValue;
    if (location->type != cudaMemLocationTypeDevice || location->id != 0) return cudaErrorInvalidDevice;
    *flags = cudaMemAccessFlagsProtReadWrite;
    return cudaSuccess;
  });
}

cudaError_t cudaDeviceGetDefaultMemPool(cudaMemPool_t* pool, int device) {
  return Call(__func__, [&](Runtime& runtime) {
    if (pool == nullptr) return cudaErrorInvalidValue;
    *pool = runtime.pools.default_handle();
    return DeviceZero(device);
  });
}

cudaError_t cudaDeviceGetMemPool(cudaMemPool_t* pool, int device) {
  return Call(__func__, [&](Runtime& runtime) {
    if (pool == nullptr) return cudaErrorInvalidValue;
    *pool = runtime.pools.current_handle();
    return DeviceZero(device);
  });
}

cudaError_t cudaDeviceSetMemPool(int device, cudaMemPool_t pool) {
  return Call(__func__, [&](Runtime& runtime) {
    if (runtime.pools.Find(pool) == nullptr) return cudaErrorInvalidValue;
    runtime.pools.SetCurrent(pool);
    return DeviceZero(device);
  });
}

}  // extern "C"
