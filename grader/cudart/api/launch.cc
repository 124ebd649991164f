// Launches: the <<<>>> protocol of nvcc's host code, the launch functions, and host callbacks. grader/cudart/launch.h
// checks and runs them. Tested by tests/cudart/programs_test.cc (programs/launch_errors.cu, cooperative.cu,
// streams.cu).
#include "grader/cudart/launch.h"

#include <fmt/format.h>

#include <thread>
#include <utility>
#include <vector>

#include "grader/cudart/api/api.h"
#include "grader/cudart/default_stream.h"
#include "grader/cudart/modules.h"
#include "grader/cudart/registered_memory.h"
#include "grader/cudart/stream_work.h"
#include "grader/cudart/work_queue.h"

namespace warpgrade::cudart {
namespace {

// <<<>>> pushes a configuration, and then the kernel's host stub pops it. This is a stack, because an argument of the
// call may launch a kernel too. The push is called from the line of the <<<>>>, and the launch from the stub.
struct Pushed {
  Configuration configuration;
  const void* caller = nullptr;
};
thread_local std::vector<Pushed> pushed_configurations;
thread_local const void* popped_caller = nullptr;

// Runs the launch in its stream, or makes it a node of the graph that the stream is captured into.
cudaError_t LaunchOn(Runtime& runtime, const void* host, const Configuration& configuration, void** arguments) {
  BoundLaunch launch;
  const cudaError_t error = Bind(runtime, host, configuration, arguments, &launch);
  if (error != cudaSuccess) return error;
  // Which pages it uses of memory that the host reaches too is known only when it is done. A delayed kernel's pages
  // could not be guarded (host_guard.h) from its call on: the host's early read would give a wrong value and no
  // finding.
  const bool at_the_call = runtime.device.HasHostVisible() || runtime.registered.HasCopies();
  return Submit(runtime, configuration.stream, cudaGraphNodeTypeKernel, std::move(launch), {},
                at_the_call ? WorkQueue::When::kAtTheCall : WorkQueue::When::kSoon);
}

// What <<<>>> does. It returns no error to the program, so a failure is kept as unchecked until the program asks for
// it.
cudaError_t LaunchFromStub(Runtime& runtime, const void* host, const Configuration& configuration, void** arguments) {
  const cudaError_t error = LaunchOn(runtime, host, configuration, arguments);
  if (error != cudaSuccess && !IsFault(error)) {
    const Function* function = runtime.modules.FindFunction(host);
    const bool known = function != nullptr && function->kernel;
    runtime.errors.AddUnchecked({std::this_thread::get_id(), error,
                                 known ? function->kernel->info.demangled : std::string(), configuration.grid,
                                 configuration.block, configuration.shared_bytes, runtime.device.call()});
  }
  return error;
}

// False: all that it comes after is done, so the caller calls it now.
bool QueueHostWork(Runtime& runtime, cudaStream_t stream, HostWork work) {
  if (runtime.queue.empty()) return false;
  const StreamUse use = runtime.streams.UseOf(stream);
  if (!runtime.queue.IsBehind(use)) return false;
  runtime.queue.AddHostWork(runtime, use, std::move(work));
  return true;
}

// Attributes that only affect speed are accepted and ignored. Those that change what a kernel does are applied or
// refused.
cudaError_t ApplyAttribute(Runtime& runtime, const cudaLaunchAttribute& attribute, Configuration* configuration) {
  switch (attribute.id) {
    case cudaLaunchAttributeCooperative:
      configuration->cooperative = attribute.val.cooperative != 0;
      return cudaSuccess;
    case cudaLaunchAttributeClusterDimension: {
      const auto& cluster = attribute.val.clusterDim;
      if (cluster.x == 1 && cluster.y == 1 && cluster.z == 1) return cudaSuccess;
      return runtime.errors.Explain(cudaErrorNotSupported, "the emulator has no thread block clusters");
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
      return runtime.errors.Explain(cudaErrorNotSupported, fmt::format("the emulator does not know launch attribute {}",
                                                                       static_cast<int>(attribute.id)));
  }
}

}  // namespace

}  // namespace warpgrade::cudart

using namespace warpgrade::cudart;

extern "C" {

unsigned __cudaPushCallConfiguration(dim3 grid, dim3 block, size_t shared_bytes, CUstream_st* stream) {
  pushed_configurations.push_back({{grid, block, shared_bytes, stream}, __builtin_return_address(0)});
  return 0;
}

cudaError_t __cudaPopCallConfiguration(dim3* grid, dim3* block, size_t* shared_bytes, void* stream) {
  auto& stack = pushed_configurations;
  if (stack.empty()) return RecordError(cudaErrorMissingConfiguration);
  const Configuration& popped = stack.back().configuration;
  *grid = popped.grid;
  *block = popped.block;
  *shared_bytes = popped.shared_bytes;
  *static_cast<cudaStream_t*>(stream) = popped.stream;
  popped_caller = stack.back().caller;
  stack.pop_back();
  return cudaSuccess;
}

// nvcc's stub keeps the handle for good, so it is given out even when the module cannot be loaded. Each launch then
// fails.
cudaError_t __cudaGetKernel(cudaKernel_t* kernel, const void* function) {
  Runtime& runtime = Runtime::Get();
  std::lock_guard lock(runtime.mutex);
  *kernel = reinterpret_cast<cudaKernel_t>(runtime.modules.FindFunction(function));
  return *kernel == nullptr ? cudaErrorInvalidDeviceFunction : cudaSuccess;
}

cudaError_t cudaGetKernel(cudaKernel_t* kernel, const void* function) {
  return Call(__func__, [&](Runtime& runtime) {
    if (kernel == nullptr) return cudaErrorInvalidValue;
    Function* found = runtime.modules.FindFunction(function);
    if (found == nullptr) return cudaErrorInvalidDeviceFunction;
    *kernel = reinterpret_cast<cudaKernel_t>(found);
    return cudaSuccess;
  });
}

cudaError_t __cudaLaunchKernel(cudaKernel_t kernel, dim3 grid, dim3 block, void** arguments, size_t shared_bytes,
                               cudaStream_t stream) {
  const auto body = [&](Runtime& runtime) {
    return LaunchFromStub(runtime, kernel, {grid, block, shared_bytes, stream}, arguments);
  };
  const void* const caller = std::exchange(popped_caller, nullptr);
  return Call("kernel launch", body, caller != nullptr ? caller : __builtin_return_address(0));
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
    Configuration configuration{config->gridDim, config->blockDim, config->dynamicSmemBytes, Named(config->stream)};
    for (unsigned i = 0; i < config->numAttrs; ++i) {
      const cudaError_t error = ApplyAttribute(runtime, config->attrs[i], &configuration);
      if (error != cudaSuccess) return error;
    }
    return LaunchOn(runtime, function, configuration, arguments);
  });
}

// Unless it is queued, all earlier work is done, so the callback runs now. It runs outside of Call, because it may wait
// for Call's lock.
cudaError_t cudaLaunchHostFunc(cudaStream_t stream, cudaHostFn_t function, void* user_data) {
  bool captured = false, queued = false;
  const cudaError_t error = Call(__func__, [&](Runtime& runtime) {
    if (function == nullptr) return cudaErrorInvalidValue;
    if (!runtime.streams.IsLive(stream)) return cudaErrorInvalidResourceHandle;
    const auto capture = runtime.captures.Of(stream);
    captured = capture != nullptr;
    if (!captured) {
      runtime.streams.Order(OrderOp::kHostWaitsStream, stream);
      const cudaError_t implicit = runtime.captures.CheckImplicit(stream);
      queued = implicit == cudaSuccess && QueueHostWork(runtime, stream, [=] { function(user_data); });
      return implicit;
    }
    return Record(*capture, stream, {nullptr, cudaGraphNodeTypeHost, nullptr, [=] { function(user_data); }});
  });
  if (error == cudaSuccess && !captured && !queued) HostFunction::Run([&] { function(user_data); });
  return error;
}

cudaError_t cudaStreamAddCallback(cudaStream_t stream, cudaStreamCallback_t callback, void* user_data, unsigned flags) {
  bool queued = false;
  const cudaError_t error = Call(__func__, [&](Runtime& runtime) {
    if (callback == nullptr || flags != 0) return cudaErrorInvalidValue;
    if (!runtime.streams.IsLive(stream)) return cudaErrorInvalidResourceHandle;
    runtime.streams.Order(OrderOp::kHostWaitsStream, stream);
    const cudaError_t captured = runtime.captures.CheckWait(stream);
    queued =
        captured == cudaSuccess && QueueHostWork(runtime, stream, [=] { callback(stream, cudaSuccess, user_data); });
    return captured;
  });
  if (error == cudaSuccess && !queued) HostFunction::Run([&] { callback(stream, cudaSuccess, user_data); });
  return error;
}

}  // extern "C"
