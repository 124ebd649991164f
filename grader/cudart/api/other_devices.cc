// Functions about things that the emulator does not have: other devices, other processes, clusters, and the driver's
// own functions. They answer for the one device that there is, or give an error that says so. Tested by
// tests/cudart/programs_test.cc (programs/device.cu, other_devices.cu).
#include <fmt/format.h>

#include <cstring>

#include "grader/cudart/api/api.h"
#include "grader/cudart/stream_work.h"
#include "grader/cudart/transfer.h"

namespace warpgrade::cudart {
namespace {

constexpr char kPciBusId[] = "0000:00:00.0";

// A device is not a peer of itself, and there is no other device.
cudaError_t NoPeer(Runtime& runtime) {
  return runtime.errors.Explain(cudaErrorInvalidDevice,
                                "the emulator has one device, and a device is not a peer of itself");
}

cudaError_t NoProcesses(const char* api, const void* caller = __builtin_return_address(0)) {
  const auto body = [](Runtime& runtime) {
    return runtime.errors.Explain(cudaErrorNotSupported,
                                  "the emulated device belongs to one process; share host memory instead");
  };
  return Call(api, body, caller);
}

cudaError_t NoClusters(const char* api, const void* caller = __builtin_return_address(0)) {
  const auto body = [](Runtime& runtime) {
    return runtime.errors.Explain(cudaErrorNotSupported, "the emulator has no thread block clusters");
  };
  return Call(api, body, caller);
}

// Programs that can work without a driver function ask for it and check the status.
cudaError_t NoDriver(const char* api, void** function, cudaDriverEntryPointQueryResult* status,
                     const void* caller = __builtin_return_address(0)) {
  const auto body = [&](Runtime&) {
    if (function == nullptr) return cudaErrorInvalidValue;
    *function = nullptr;
    if (status != nullptr) *status = cudaDriverEntryPointSymbolNotFound;
    return status == nullptr ? cudaErrorSymbolNotFound : cudaSuccess;
  };
  return Call(api, body, caller);
}

}  // namespace
}  // namespace warpgrade::cudart

using namespace warpgrade::cudart;

extern "C" {

cudaError_t cudaDeviceCanAccessPeer(int* can_access, int device, int peer) {
  return Call(__func__, [&](Runtime&) {
    if (can_access == nullptr) return cudaErrorInvalidValue;
    if (device != 0 || peer != 0) return cudaErrorInvalidDevice;
    *can_access = 0;
    return cudaSuccess;
  });
}

cudaError_t cudaDeviceEnablePeerAccess(int, unsigned flags) {
  return Call(__func__, [&](Runtime& runtime) { return flags != 0 ? cudaErrorInvalidValue : NoPeer(runtime); });
}

cudaError_t cudaDeviceDisablePeerAccess(int peer) {
  return Call(__func__, [&](Runtime& runtime) { return peer == 0 ? cudaErrorPeerAccessNotEnabled : NoPeer(runtime); });
}

cudaError_t cudaDeviceGetP2PAttribute(int*, cudaDeviceP2PAttr, int, int) {
  return Call(__func__, [](Runtime& runtime) { return NoPeer(runtime); });
}

cudaError_t cudaMemcpyPeer(void* to, int to_device, const void* from, int from_device, size_t count) {
  return DoNow(__func__, [&](Runtime& runtime) {
    if (to_device != 0 || from_device != 0) return cudaErrorInvalidDevice;
    return Transfer(runtime, to, count, from, count, {count}, cudaMemcpyDeviceToDevice);
  });
}

cudaError_t cudaMemcpyPeerAsync(void* to, int to_device, const void* from, int from_device, size_t count,
                                cudaStream_t stream) {
  return Enqueue(__func__, stream, cudaGraphNodeTypeMemcpy, [=](Runtime& runtime) {
    if (to_device != 0 || from_device != 0) return cudaErrorInvalidDevice;
    return Transfer(runtime, to, count, from, count, {count}, cudaMemcpyDeviceToDevice);
  });
}

cudaError_t cudaChooseDevice(int* device, const cudaDeviceProp* properties) {
  return Call(__func__, [&](Runtime&) {
    if (device == nullptr || properties == nullptr) return cudaErrorInvalidValue;
    *device = 0;
    return cudaSuccess;
  });
}

cudaError_t cudaDeviceGetPCIBusId(char* id, int length, int device) {
  return Call(__func__, [&](Runtime&) {
    if (id == nullptr || length < static_cast<int>(sizeof kPciBusId)) return cudaErrorInvalidValue;
    if (device != 0) return cudaErrorInvalidDevice;
    std::memcpy(id, kPciBusId, sizeof kPciBusId);
    return cudaSuccess;
  });
}

cudaError_t cudaDeviceGetByPCIBusId(int* device, const char* id) {
  return Call(__func__, [&](Runtime&) {
    if (device == nullptr || id == nullptr) return cudaErrorInvalidValue;
    if (std::strcmp(id, kPciBusId) != 0) return cudaErrorInvalidDevice;
    *device = 0;
    return cudaSuccess;
  });
}

cudaError_t cudaIpcGetMemHandle(cudaIpcMemHandle_t*, void*) { return NoProcesses(__func__); }

cudaError_t cudaIpcOpenMemHandle(void**, cudaIpcMemHandle_t, unsigned) { return NoProcesses(__func__); }

cudaError_t cudaIpcCloseMemHandle(void*) { return NoProcesses(__func__); }

cudaError_t cudaIpcGetEventHandle(cudaIpcEventHandle_t*, cudaEvent_t) { return NoProcesses(__func__); }

cudaError_t cudaIpcOpenEventHandle(cudaEvent_t*, cudaIpcEventHandle_t) { return NoProcesses(__func__); }

cudaError_t cudaOccupancyMaxPotentialClusterSize(int*, const void*, const cudaLaunchConfig_t*) {
  return NoClusters(__func__);
}

cudaError_t cudaOccupancyMaxActiveClusters(int*, const void*, const cudaLaunchConfig_t*) {
  return NoClusters(__func__);
}

cudaError_t cudaGetDriverEntryPoint(const char*, void** function, unsigned long long,
                                    cudaDriverEntryPointQueryResult* status) {
  return NoDriver(__func__, function, status);
}

cudaError_t cudaGetDriverEntryPointByVersion(const char*, void** function, unsigned, unsigned long long,
                                             cudaDriverEntryPointQueryResult* status) {
  return NoDriver(__func__, function, status);
}

cudaError_t cudaCtxResetPersistingL2Cache() {
  return Call(__func__, [](Runtime&) { return cudaSuccess; });
}

}  // extern "C"
