// Checks a launch against the device's rules, copies its arguments into the parameter block, and runs it. The API
// functions over it are in api/launch.cc and api/graph.cc. Tested by tests/cudart/programs_test.cc
// (programs/launch_errors.cu, shared_memory.cu, illegal_address.cu).
#include "grader/cudart/launch.h"

#include <fmt/format.h>

#include <cstring>

#include "grader/cudart/device/launch_rules.h"
#include "grader/cudart/device_link.h"
#include "grader/cudart/device_settings.h"
#include "grader/cudart/error_state.h"
#include "grader/cudart/modules.h"
#include "grader/cudart/registered_memory.h"
#include "grader/cudart/runtime.h"
#include "grader/cudart/streams.h"
#include "grader/cudart/work_queue.h"

namespace warpgrade::cudart {
namespace {

emulator::Dim3 ToDim3(const dim3& dim) { return {dim.x, dim.y, dim.z}; }

// As one writes it: "8", or "(8,2,1)".
std::string Words(const dim3& dim) {
  return dim.y == 1 && dim.z == 1 ? std::to_string(dim.x) : fmt::format("({},{},{})", dim.x, dim.y, dim.z);
}

// "add<int>" of "add<int>(int const*, int*)".
std::string WithoutParameters(const std::string& demangled) {
  const size_t parameters = demangled.find('(');
  return parameters == 0 ? demangled : demangled.substr(0, parameters);
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

}  // namespace

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

cudaError_t Bind(Runtime& runtime, const void* host, const Configuration& configuration, void** arguments,
                 BoundLaunch* launch) {
  Function* function = runtime.modules.FindFunction(host);
  if (function == nullptr)
    return runtime.errors.Explain(cudaErrorInvalidDeviceFunction, "this is not a __global__ function");
  if (!runtime.streams.IsLive(configuration.stream)) return cudaErrorInvalidResourceHandle;
  const cudaError_t prepared = runtime.modules.Prepare(*function);
  if (prepared != cudaSuccess) return prepared;
  const emulator::KernelInfo& info = function->kernel->info;
  if (configuration.shared_bytes > MaxDynamicShared(*function)) {
    return runtime.errors.Explain(
        cudaErrorInvalidValue,
        fmt::format("{}: {} bytes of dynamic shared memory; allowed are {} unless "
                    "cudaFuncSetAttribute(cudaFuncAttributeMaxDynamicSharedMemorySize) raises it",
                    info.demangled, configuration.shared_bytes, MaxDynamicShared(*function)));
  }
  if (!PackParameters(info, arguments, &launch->parameters_)) {
    return runtime.errors.Explain(cudaErrorInvalidValue, fmt::format("{}: an argument is missing", info.demangled));
  }
  launch->launch_ = {function->kernel->handle,    ToDim3(configuration.grid),
                     ToDim3(configuration.block), static_cast<uint32_t>(configuration.shared_bytes),
                     configuration.cooperative,   launch->parameters_};
  const LaunchVerdict verdict = CheckLaunch(launch->launch_, info, runtime.device.facts());
  if (verdict.error == cudaSuccess) return cudaSuccess;
  const cudaError_t error =
      runtime.errors.Explain(verdict.error, fmt::format("{}: {}", info.demangled, verdict.reason));
  runtime.errors.SetWhy(fmt::format("{}<<<{}, {}>>>: {}", WithoutParameters(info.demangled), Words(configuration.grid),
                                    Words(configuration.block), verdict.reason));
  return error;
}

cudaError_t BoundLaunch::operator()(Runtime& runtime) {
  Backend& device = runtime.device.backend();
  uint64_t device_ns = 0;
  // The copies of registered memory are ours, and how they are kept up is not the program's fault.
  const bool copies = runtime.registered.HasCopies();
  if (copies) runtime.device.Order(OrderOp::kDeviceBarrier);
  cudaError_t error = runtime.registered.Send();
  if (error != cudaSuccess) return error;
  if (waiting_) {
    error = device.Continue(*waiting_, runtime.queue.is_alone(), &device_ns);
  } else {
    Launch launch = launch_;
    launch.parameters = parameters_;  // this object's own, which may be a copy of the one that was bound
    launch.may_wait = runtime.device.orders();
    const auto limit = runtime.settings.limits.find(cudaLimitDevRuntimePendingLaunchCount);
    if (limit != runtime.settings.limits.end()) launch.pending_children = limit->second;
    error = device.Run(launch, &device_ns);
  }
  if (error == cudaErrorNotReady) {
    waiting_ = device.waiting().id;
    const cudaError_t fetched = device.waiting().wrote ? runtime.registered.Fetch() : cudaSuccess;
    return fetched == cudaSuccess ? error : fetched;
  }
  waiting_.reset();
  runtime.device.Advance(device_ns);
  if (IsFault(error)) {
    // No work is under way any more, and no wait of the program will come to open the pages that earlier work used.
    runtime.device.Order(OrderOp::kHostWaitsAll);
    return runtime.errors.Fault(error);
  }
  runtime.device.Guard(device.host_visible());
  return error == cudaSuccess ? runtime.registered.Fetch() : error;
}

}  // namespace warpgrade::cudart
