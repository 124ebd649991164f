// Attributes of kernels, and occupancy by NVIDIA's rules (device_model/occupancy.h). Register counts are an estimate of
// the emulator, because PTX has virtual registers. Tested by tests/cudart/programs_test.cc (programs/device.cu,
// shared_memory.cu, function_queries.cu).
#include <fmt/format.h>

#include "grader/cudart/api/api.h"
#include "grader/cudart/call.h"
#include "grader/cudart/device/launch_rules.h"
#include "grader/cudart/device_link.h"
#include "grader/cudart/modules.h"
#include "grader/device_model/gpu_limits.h"

namespace warpgrade::cudart {
namespace {

// Runs `work(function)` on the loaded kernel that `host` names, as the API function `api`.
template <typename Work>
cudaError_t OnKernel(const char* api, const void* host, Work&& work, const void* caller = __builtin_return_address(0)) {
  const auto body = [&](Runtime& runtime) {
    Function* function = runtime.modules.FindFunction(host);
    if (function == nullptr)
      return runtime.errors.Explain(cudaErrorInvalidDeviceFunction, "this is not a __global__ function");
    const cudaError_t error = runtime.modules.Prepare(*function);
    return error != cudaSuccess ? error : work(runtime, *function);
  };
  return Call(api, body, caller);
}

cudaFuncAttributes AttributesOf(const Function& function, const ComputeCapability& capability) {
  const emulator::KernelInfo& info = function.kernel->info;
  cudaFuncAttributes attributes = {};
  attributes.sharedSizeBytes = info.static_shared_bytes;
  attributes.localSizeBytes = info.local_bytes;
  attributes.maxThreadsPerBlock = static_cast<int>(info.max_threads_per_block);
  attributes.numRegs = static_cast<int>(info.registers);
  attributes.ptxVersion = function.kernel->ptx_arch;
  attributes.binaryVersion = capability.number();
  attributes.maxDynamicSharedSizeBytes = static_cast<int>(MaxDynamicShared(function));
  attributes.preferredShmemCarveout = function.shared_carveout;
  return attributes;
}

cudaError_t SetDynamicShared(Runtime& runtime, Function& function, int bytes) {
  const uint32_t fixed = function.kernel->info.static_shared_bytes;
  const int most = runtime.device.facts().model->capability.shared_per_block_opt_in - static_cast<int>(fixed);
  if (bytes < 0 || bytes > most) {
    return runtime.errors.Explain(
        cudaErrorInvalidValue,
        fmt::format("{}: {} bytes of dynamic shared memory; with its {} static bytes it can have {}",
                    function.kernel->info.demangled, bytes, fixed, most));
  }
  function.max_dynamic_shared_bytes = static_cast<uint32_t>(bytes);
  return cudaSuccess;
}

cudaError_t SetAttribute(Runtime& runtime, Function& function, cudaFuncAttribute attribute, int value) {
  switch (attribute) {
    case cudaFuncAttributeMaxDynamicSharedMemorySize:
      return SetDynamicShared(runtime, function, value);
    case cudaFuncAttributePreferredSharedMemoryCarveout:
      if (value < -1 || value > 100) return cudaErrorInvalidValue;
      function.shared_carveout = value;
      return cudaSuccess;
    default:
      return runtime.errors.Explain(cudaErrorInvalidValue,
                                    "the emulator knows the attributes for dynamic shared memory and "
                                    "for the shared memory carveout; it has no clusters");
  }
}

cudaError_t ActiveBlocks(const char* api, int* blocks, const void* host, int block_threads, size_t shared_bytes) {
  return OnKernel(api, host, [&](Runtime& runtime, Function& function) {
    if (blocks == nullptr || block_threads <= 0) return cudaErrorInvalidValue;
    const ComputeCapability& device = runtime.device.facts().model->capability;
    const bool allowed = shared_bytes <= MaxDynamicShared(function);
    *blocks = allowed ? ResidentBlocks(NeedsOf(function.kernel->info), device, block_threads, shared_bytes) : 0;
    return cudaSuccess;
  });
}

}  // namespace
}  // namespace warpgrade::cudart

using warpgrade::cudart::Function;
using warpgrade::cudart::OnKernel;
using warpgrade::cudart::Runtime;

extern "C" {

cudaError_t cudaFuncGetAttributes(cudaFuncAttributes* attributes, const void* host) {
  return OnKernel(__func__, host, [&](Runtime& runtime, Function& function) {
    if (attributes == nullptr) return cudaErrorInvalidValue;
    *attributes = warpgrade::cudart::AttributesOf(function, runtime.device.facts().model->capability);
    return cudaSuccess;
  });
}

cudaError_t cudaFuncSetAttribute(const void* host, cudaFuncAttribute attribute, int value) {
  return OnKernel(__func__, host, [&](Runtime& runtime, Function& function) {
    return warpgrade::cudart::SetAttribute(runtime, function, attribute, value);
  });
}

cudaError_t cudaFuncSetCacheConfig(const void* host, cudaFuncCache) {
  return OnKernel(__func__, host, [](Runtime&, Function&) { return cudaSuccess; });
}

// One object stands for a kernel under all its handle types.
cudaError_t cudaGetFuncBySymbol(cudaFunction_t* found, const void* host) {
  return OnKernel(__func__, host, [&](Runtime&, Function& function) {
    if (found == nullptr) return cudaErrorInvalidValue;
    *found = reinterpret_cast<cudaFunction_t>(&function);
    return cudaSuccess;
  });
}

cudaError_t cudaFuncGetName(const char** name, const void* host) {
  return OnKernel(__func__, host, [&](Runtime&, Function& function) {
    if (name == nullptr) return cudaErrorInvalidValue;
    *name = function.name.c_str();
    return cudaSuccess;
  });
}

cudaError_t cudaFuncGetParamInfo(const void* host, size_t index, size_t* offset, size_t* size) {
  return OnKernel(__func__, host, [&](Runtime&, Function& function) {
    const warpgrade::emulator::KernelInfo& info = function.kernel->info;
    if (offset == nullptr || index >= info.parameter_sizes.size()) return cudaErrorInvalidValue;
    *offset = info.parameter_offsets[index];
    if (size != nullptr) *size = info.parameter_sizes[index];
    return cudaSuccess;
  });
}

cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessor(int* blocks, const void* host, int block_threads,
                                                          size_t shared_bytes) {
  return warpgrade::cudart::ActiveBlocks(__func__, blocks, host, block_threads, shared_bytes);
}

// The only flag asks for occupancy without global caching, which makes no difference here.
cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(int* blocks, const void* host, int block_threads,
                                                                   size_t shared_bytes, unsigned flags) {
  if ((flags & ~unsigned{cudaOccupancyDisableCachingOverride}) != 0) {
    return warpgrade::cudart::RecordError(cudaErrorInvalidValue);
  }
  return warpgrade::cudart::ActiveBlocks(__func__, blocks, host, block_threads, shared_bytes);
}

cudaError_t cudaOccupancyAvailableDynamicSMemPerBlock(size_t* bytes, const void* host, int blocks, int block_threads) {
  return OnKernel(__func__, host, [&](Runtime& runtime, Function& function) {
    if (bytes == nullptr || block_threads <= 0) return cudaErrorInvalidValue;
    const std::optional<uint64_t> most =
        warpgrade::SharedForResidentBlocks(warpgrade::cudart::NeedsOf(function.kernel->info),
                                           runtime.device.facts().model->capability, blocks, block_threads);
    if (!most) return cudaErrorInvalidValue;
    *bytes = *most;
    return cudaSuccess;
  });
}

}  // extern "C"
