// Questions about the one emulated device, its limits and its versions. device_attributes.def has the answers.
// Tested by tests/cudart/programs_test.cc (programs/device.cu, device_as.cu, other_devices.cu).
#include <fmt/format.h>

#include <cstring>
#include <iterator>
#include <optional>

#include "grader/cudart/api/api.h"
#include "grader/cudart/call.h"
#include "grader/cudart/captures.h"
#include "grader/cudart/device_link.h"
#include "grader/cudart/device_settings.h"
#include "grader/cudart/work_queue.h"
#include "grader/device_model/gpu_limits.h"

namespace warpgrade::cudart {
namespace {

constexpr int kVersion = 13000;  // of the runtime, and of the driver that programs are told of

std::optional<int> AttributeOf(cudaDeviceAttr attribute, const DeviceFacts& facts) {
  const DeviceModel& model = *facts.model;
  switch (attribute) {
#define WARPGRADE_ATTRIBUTE(name, value) \
  case cudaDevAttr##name:                \
    return static_cast<int>(value);
#define WARPGRADE_PROPERTY(name, field, value) WARPGRADE_ATTRIBUTE(name, value)
#define WARPGRADE_FIELD(field, value)
#include "grader/cudart/api/device_attributes.def"
#undef WARPGRADE_ATTRIBUTE
#undef WARPGRADE_PROPERTY
#undef WARPGRADE_FIELD
    default:
      return std::nullopt;
  }
}

cudaDeviceProp PropertiesOf(const DeviceFacts& facts) {
  cudaDeviceProp properties = {};
  const DeviceModel& model = *facts.model;
  const std::string name = fmt::format("warpgrade emulator (as {})", model.name);
  std::strncpy(properties.name, name.c_str(), sizeof properties.name - 1);
  std::memcpy(properties.uuid.bytes, "warpgrade-device", sizeof properties.uuid.bytes);
#define WARPGRADE_FIELD(field, value) properties.field = value;
#define WARPGRADE_ATTRIBUTE(name, value)
#define WARPGRADE_PROPERTY(name, field, value) WARPGRADE_FIELD(field, value)
#include "grader/cudart/api/device_attributes.def"
#undef WARPGRADE_ATTRIBUTE
#undef WARPGRADE_PROPERTY
#undef WARPGRADE_FIELD
  return properties;
}

// The default value on a GPU; nullopt: no GPU of the device model has this limit.
std::optional<size_t> DefaultLimit(cudaLimit limit) {
  switch (limit) {
    case cudaLimitStackSize:
      return 1024;
    case cudaLimitPrintfFifoSize:
      return 1 << 20;
    case cudaLimitMallocHeapSize:
      return 8 << 20;
    case cudaLimitDevRuntimePendingLaunchCount:
      return 2048;
    case cudaLimitMaxL2FetchGranularity:
      return 64;
    case cudaLimitPersistingL2CacheSize:
      return 0;
    default:
      return std::nullopt;
  }
}

cudaError_t CheckDevice(int device) { return device == 0 ? cudaSuccess : cudaErrorInvalidDevice; }

template <typename Value>
cudaError_t Give(const char* api, Value* output, Value value, const void* caller = __builtin_return_address(0)) {
  const auto body = [&](Runtime&) {
    if (output == nullptr) return cudaErrorInvalidValue;
    *output = value;
    return cudaSuccess;
  };
  return Call(api, body, caller);
}

}  // namespace
}  // namespace warpgrade::cudart

using warpgrade::cudart::Call;
using warpgrade::cudart::CheckDevice;
using warpgrade::cudart::Give;
using warpgrade::cudart::OrderOp;
using warpgrade::cudart::Runtime;
using warpgrade::cudart::StreamUse;

extern "C" {

cudaError_t cudaGetDeviceCount(int* count) { return Give(__func__, count, 1); }

cudaError_t cudaGetDevice(int* device) { return Give(__func__, device, 0); }

cudaError_t cudaSetDevice(int device) {
  return Call(__func__, [&](Runtime&) { return CheckDevice(device); });
}

cudaError_t cudaInitDevice(int device, unsigned, unsigned) {
  return Call(__func__, [&](Runtime&) { return CheckDevice(device); });
}

cudaError_t cudaSetDeviceFlags(unsigned flags) {
  return Call(__func__, [&](Runtime& runtime) {
    if ((flags & ~unsigned{cudaDeviceMask}) != 0) return cudaErrorInvalidValue;
    runtime.settings.flags = flags;
    return cudaSuccess;
  });
}

cudaError_t cudaGetDeviceFlags(unsigned* flags) {
  return Call(__func__, [&](Runtime& runtime) {
    if (flags == nullptr) return cudaErrorInvalidValue;
    *flags = runtime.settings.flags;
    return cudaSuccess;
  });
}

cudaError_t cudaGetDeviceProperties(cudaDeviceProp* properties, int device) {
  return Call(__func__, [&](Runtime& runtime) {
    if (properties == nullptr) return cudaErrorInvalidValue;
    const cudaError_t error = CheckDevice(device);
    if (error == cudaSuccess) *properties = warpgrade::cudart::PropertiesOf(runtime.device.facts());
    return error;
  });
}

cudaError_t cudaDeviceGetAttribute(int* value, cudaDeviceAttr attribute, int device) {
  return Call(__func__, [&](Runtime& runtime) {
    if (value == nullptr) return cudaErrorInvalidValue;
    const cudaError_t error = CheckDevice(device);
    if (error != cudaSuccess) return error;
    const std::optional<int> found = warpgrade::cudart::AttributeOf(attribute, runtime.device.facts());
    if (!found) return cudaErrorInvalidValue;
    *value = *found;
    return cudaSuccess;
  });
}

cudaError_t cudaDeviceSynchronize() {
  return Call(__func__, [&](Runtime& runtime) {
    const cudaError_t error = runtime.captures.CheckUnsafe();
    if (error != cudaSuccess) return error;
    const cudaError_t done = runtime.queue.WaitForAll(runtime);
    if (done != cudaSuccess) return done;
    runtime.device.Order(OrderOp::kHostWaitsAll);
    runtime.device.backend().UseStream({.stream = StreamUse::kAll});
    return runtime.device.backend().Synchronize();
  });
}

cudaError_t cudaDeviceReset() {
  return Call(__func__, [&](Runtime& runtime) {
    runtime.Reset();
    return cudaSuccess;
  });
}

cudaError_t cudaDeviceSetLimit(cudaLimit limit, size_t value) {
  return Call(__func__, [&](Runtime& runtime) {
    if (!warpgrade::cudart::DefaultLimit(limit)) return cudaErrorUnsupportedLimit;
    runtime.settings.limits[limit] = value;
    return cudaSuccess;
  });
}

cudaError_t cudaDeviceGetLimit(size_t* value, cudaLimit limit) {
  return Call(__func__, [&](Runtime& runtime) {
    const std::optional<size_t> standard = warpgrade::cudart::DefaultLimit(limit);
    if (value == nullptr) return cudaErrorInvalidValue;
    if (!standard) return cudaErrorUnsupportedLimit;
    const auto set = runtime.settings.limits.find(limit);
    *value = set == runtime.settings.limits.end() ? *standard : set->second;
    return cudaSuccess;
  });
}

// A preference for the split between L1 cache and shared memory. It does not affect anything that the emulator counts.
cudaError_t cudaDeviceSetCacheConfig(cudaFuncCache) {
  return Call(__func__, [](Runtime&) { return cudaSuccess; });
}

cudaError_t cudaDeviceGetCacheConfig(cudaFuncCache* config) { return Give(__func__, config, cudaFuncCachePreferNone); }

cudaError_t cudaRuntimeGetVersion(int* version) { return Give(__func__, version, warpgrade::cudart::kVersion); }

cudaError_t cudaDriverGetVersion(int* version) { return Give(__func__, version, warpgrade::cudart::kVersion); }

// Marks for a profiler. The emulator always counts everything.
cudaError_t cudaProfilerStart() {
  return Call(__func__, [](Runtime&) { return cudaSuccess; });
}

cudaError_t cudaProfilerStop() {
  return Call(__func__, [](Runtime&) { return cudaSuccess; });
}

}  // extern "C"
