// Launches: the <<<>>> protocol of nvcc's host code, the launch functions, and host callbacks.
// Tested by tests/cudart/programs_test.cc.
#include "grader/cudart/launch.h"

#include <fmt/format.h>

#include <cstring>
#include <thread>

#include "grader/cudart/api.h"
#include "grader/cudart/launch_rules.h"
#include "grader/cudart/memory_table.h"
#include "grader/cudart/stream_work.h"

namespace warpgrade::cudart {
namespace {

// <<<>>> pushes, then the kernel's host stub pops; a stack, because an argument of the call may launch as well.
thread_local std::vector<Configuration> pushed_configurations;

emulator::Dim3 ToDim3(const dim3& dim) { return {dim.x, dim.y, dim.z}; }

// Errors after which CUDA refuses all further work of the process.
bool IsFault(cudaError_t error) {
  switch (error) {
    case cudaErrorIllegalAddress:
    case cudaErrorMisalignedAddress:
    case cudaErrorIllegalInstruction:
    case cudaErrorInvalidAddressSpace:
    case cudaErrorInvalidPc:
    case cudaErrorAssert:
    case cudaErrorHardwareStackError:
    case cudaErrorLaunchTimeout:
    case cudaErrorLaunchFailure:
      return true;
    default:
      return false;
  }
}

// Copies each argument to its place in the parameter block. False: an argument is missing.
bool PackParameters(const emulator::KernelInfo& info, void** arguments, std::vector<std::byte>* block) {
  block->assign(info.parameter_bytes, std::byte{0});
  for (size_t i = 0; i < info.parameter_sizes.size(); ++i) {
    if (arguments == nullptr || arguments[i] == nullptr) return false;
    std::memcpy(block->data() + info.parameter_offsets[i], arguments[i], info.parameter_sizes[i]);
  }
  return true;
}

// Runs the launch in its stream, or makes it a node of the graph that the stream is captured into.
cudaError_t LaunchOn(Runtime& runtime, const void* host, const Configuration& configuration, void** arguments) {
  BoundLaunch launch;
  const cudaError_t error = Bind(runtime, host, configuration, arguments, &launch);
  return error != cudaSuccess ? error
                              : Submit(runtime, configuration.stream, cudaGraphNodeTypeKernel, std::move(launch));
}

// What <<<>>> does: nobody sees the error that it gives, so one that no call ever asks for is remembered as unchecked.
cudaError_t LaunchFromStub(Runtime& runtime, const void* host, const Configuration& configuration, void** arguments) {
  const cudaError_t error = LaunchOn(runtime, host, configuration, arguments);
  if (error != cudaSuccess && !IsFault(error)) {
    const Function* function = runtime.FindFunction(host);
    const bool known = function != nullptr && function->kernel;
    runtime.unchecked.push_back({std::this_thread::get_id(), error,
                                 known ? function->kernel->info.demangled : std::string(), configuration.grid,
                                 configuration.block, configuration.shared_bytes});
  }
  return error;
}

// Attributes that only say how fast are taken and ignored; those that change what a kernel does are not.
cudaError_t ApplyAttribute(Runtime& runtime, const cudaLaunchAttribute& attribute, Configuration* configuration) {
  switch (attribute.id) {
    case cudaLaunchAttributeCooperative:
      configuration->cooperative = attribute.val.cooperative != 0;
      return cudaSuccess;
    case cudaLaunchAttributeClusterDimension: {
      const auto& cluster = attribute.val.clusterDim;
      if (cluster.x == 1 && cluster.y == 1 && cluster.z == 1) return cudaSuccess;
      return runtime.Explain(cudaErrorNotSupported, "the emulator has no thread block clusters");
    }
    case cudaLaunchAttributeIgnore:
    case cudaLaunchAttributeAccessPolicyWindow:
    case cudaLaunchAttributeSynchronizationPolicy:
    case cudaLaunchAttributeClusterSchedulingPolicyPreference:
    case cudaLaunchAttributeProgrammaticStreamSerialization:
    case cudaLaunchAttributePriority:
    case cudaLaunchAttributeMemSyncDomainMap:
    case cudaLaunchAttributeMemSyncDomain:
    case cudaLaunchAttributePreferredSharedMemoryCarveout:
      return cudaSuccess;
    default:
      return runtime.Explain(cudaErrorNotSupported, fmt::format("the emulator does not know launch attribute {}",
                                                                static_cast<int>(attribute.id)));
  }
}

}  // namespace

cudaError_t Bind(Runtime& runtime, const void* host, const Configuration& configuration, void** arguments,
                 BoundLaunch* launch) {
  Function* function = runtime.FindFunction(host);
  if (function == nullptr) return runtime.Explain(cudaErrorInvalidDeviceFunction, "this is not a __global__ function");
  if (!runtime.IsStream(configuration.stream)) return cudaErrorInvalidResourceHandle;
  const cudaError_t prepared = runtime.Prepare(*function);
  if (prepared != cudaSuccess) return prepared;
  const emulator::KernelInfo& info = function->kernel->info;
  if (configuration.shared_bytes > MaxDynamicShared(*function)) {
    return runtime.Explain(cudaErrorInvalidValue,
                           fmt::format("{}: {} bytes of dynamic shared memory; allowed are {} unless "
                                       "cudaFuncSetAttribute(cudaFuncAttributeMaxDynamicSharedMemorySize) raises it",
                                       info.demangled, configuration.shared_bytes, MaxDynamicShared(*function)));
  }
  if (!PackParameters(info, arguments, &launch->parameters_)) {
    return runtime.Explain(cudaErrorInvalidValue, fmt::format("{}: an argument is missing", info.demangled));
  }
  launch->launch_ = {function->kernel->handle,    ToDim3(configuration.grid),
                     ToDim3(configuration.block), static_cast<uint32_t>(configuration.shared_bytes),
                     configuration.cooperative,   launch->parameters_};
  const LaunchVerdict verdict = CheckLaunch(launch->launch_, info, runtime.facts());
  if (verdict.error == cudaSuccess) return cudaSuccess;
  return runtime.Explain(verdict.error, fmt::format("{}: {}", info.demangled, verdict.reason));
}

cudaError_t BoundLaunch::operator()(Runtime& runtime) const {
  Launch launch = launch_;
  launch.parameters = parameters_;  // of this copy
  cudaError_t error = SendRegistered(runtime);
  if (error != cudaSuccess) return error;
  uint64_t device_ns = 0;
  error = runtime.backend().Run(launch, &device_ns);
  runtime.clock_ns += device_ns;
  if (IsFault(error)) return runtime.Fault(error);
  return error == cudaSuccess ? FetchRegistered(runtime) : error;
}

}  // namespace warpgrade::cudart

using namespace warpgrade::cudart;

extern "C" {

unsigned __cudaPushCallConfiguration(dim3 grid, dim3 block, size_t shared_bytes, CUstream_st* stream) {
  pushed_configurations.push_back({grid, block, shared_bytes, stream});
  return 0;
}

cudaError_t __cudaPopCallConfiguration(dim3* grid, dim3* block, size_t* shared_bytes, void* stream) {
  auto& stack = pushed_configurations;
  if (stack.empty()) return RecordError(cudaErrorMissingConfiguration);
  *grid = stack.back().grid;
  *block = stack.back().block;
  *shared_bytes = stack.back().shared_bytes;
  *static_cast<cudaStream_t*>(stream) = stack.back().stream;
  stack.pop_back();
  return cudaSuccess;
}

// nvcc's stub keeps the handle for good, so it is given out even when the module cannot be loaded: each launch says so.
cudaError_t __cudaGetKernel(cudaKernel_t* kernel, const void* function) {
  Runtime& runtime = Runtime::Get();
  std::lock_guard lock(runtime.mutex);
  *kernel = reinterpret_cast<cudaKernel_t>(runtime.FindFunction(function));
  return *kernel == nullptr ? cudaErrorInvalidDeviceFunction : cudaSuccess;
}

cudaError_t cudaGetKernel(cudaKernel_t* kernel, const void* function) {
  return Call(__func__, [&](Runtime& runtime) {
    if (kernel == nullptr) return cudaErrorInvalidValue;
    Function* found = runtime.FindFunction(function);
    if (found == nullptr) return cudaErrorInvalidDeviceFunction;
    *kernel = reinterpret_cast<cudaKernel_t>(found);
    return cudaSuccess;
  });
}

cudaError_t __cudaLaunchKernel(cudaKernel_t kernel, dim3 grid, dim3 block, void** arguments, size_t shared_bytes,
                               cudaStream_t stream) {
  return Call("kernel launch", [&](Runtime& runtime) {
    return LaunchFromStub(runtime, kernel, {grid, block, shared_bytes, stream}, arguments);
  });
}

cudaError_t cudaLaunchKernel(const void* function, dim3 grid, dim3 block, void** arguments, size_t shared_bytes,
                             cudaStream_t stream) {
  return Call("kernel launch", [&](Runtime& runtime) {
    return LaunchOn(runtime, function, {grid, block, shared_bytes, stream}, arguments);
  });
}

cudaError_t cudaLaunchCooperativeKernel(const void* function, dim3 grid, dim3 block, void** arguments,
                                        size_t shared_bytes, cudaStream_t stream) {
  return Call(__func__, [&](Runtime& runtime) {
    return LaunchOn(runtime, function, {grid, block, shared_bytes, stream, /*cooperative=*/true}, arguments);
  });
}

cudaError_t cudaLaunchKernelExC(const cudaLaunchConfig_t* config, const void* function, void** arguments) {
  return Call(__func__, [&](Runtime& runtime) {
    if (config == nullptr || (config->attrs == nullptr && config->numAttrs != 0)) return cudaErrorInvalidValue;
    Configuration configuration{config->gridDim, config->blockDim, config->dynamicSmemBytes, config->stream};
    for (unsigned i = 0; i < config->numAttrs; ++i) {
      const cudaError_t error = ApplyAttribute(runtime, config->attrs[i], &configuration);
      if (error != cudaSuccess) return error;
    }
    return LaunchOn(runtime, function, configuration, arguments);
  });
}

// All earlier work is done, so the callback's turn is now; outside Call, whose lock a program's callback may wait for.
cudaError_t cudaLaunchHostFunc(cudaStream_t stream, cudaHostFn_t function, void* user_data) {
  bool captured = false;
  const cudaError_t error = Call(__func__, [&](Runtime& runtime) {
    if (function == nullptr) return cudaErrorInvalidValue;
    if (!runtime.IsStream(stream)) return cudaErrorInvalidResourceHandle;
    const auto capture = CaptureOf(runtime, stream);
    captured = capture != nullptr;
    if (!captured) return CheckImplicit(runtime, stream);
    return Record(*capture, stream, {nullptr, cudaGraphNodeTypeHost, nullptr, [=] { function(user_data); }});
  });
  if (error == cudaSuccess && !captured) function(user_data);
  return error;
}

cudaError_t cudaStreamAddCallback(cudaStream_t stream, cudaStreamCallback_t callback, void* user_data, unsigned flags) {
  const cudaError_t error = Call(__func__, [&](Runtime& runtime) {
    if (callback == nullptr || flags != 0) return cudaErrorInvalidValue;
    return runtime.IsStream(stream) ? CheckWait(runtime, stream) : cudaErrorInvalidResourceHandle;
  });
  if (error == cudaSuccess) callback(stream, cudaSuccess, user_data);
  return error;
}

}  // extern "C"
