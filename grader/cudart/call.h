// How every API function runs: `return Call(__func__, [&](Runtime& runtime) { ... })`.
#pragma once

#include <mutex>
#include <new>

#include "grader/cudart/call_site.h"
#include "grader/cudart/device_link.h"
#include "grader/cudart/error_state.h"
#include "grader/cudart/fork.h"
#include "grader/cudart/host_function.h"
#include "grader/cudart/runtime.h"

namespace warpgrade::cudart {

// Runs `body(runtime)` as the API function `api`; only one API function runs at a time in the process. After a kernel's
// fault, no body runs any more and the call returns that fault's error. None runs in a function of the program's that a
// stream calls (HostFunction), nor in a forked child. No exception escapes. The result becomes the thread's last error
// unless it is cudaSuccess.
//
// `caller` is the return address into the program, for findings. A default argument is evaluated in the function that
// makes the call, so an API function need not give it. A helper that calls Call for several API functions has such a
// parameter, too.
template <typename Body>
cudaError_t Call(const char* api, Body&& body, const void* caller = __builtin_return_address(0)) noexcept {
  if (IsForkedChild()) return RecordError(cudaErrorInitializationError);
  try {
    Runtime& runtime = Runtime::Get();
    std::lock_guard lock(runtime.mutex);
    if (runtime.errors.sticky() != cudaSuccess) return RecordError(runtime.errors.sticky());
    runtime.errors.Enter(api);
    runtime.device.EnterCall(PlaceOfCall(caller));
    if (HostFunction::IsRunning()) return RecordError(HostFunction::Refuse(runtime.errors));
    const cudaError_t error = body(runtime);
    if (error != cudaSuccess && error != cudaErrorNotReady) runtime.device.CallFailed(error, runtime.errors.why());
    return RecordError(error);
  } catch (const std::bad_alloc&) {
    return RecordError(cudaErrorMemoryAllocation);
  } catch (...) {
    return RecordError(cudaErrorUnknown);
  }
}

}  // namespace warpgrade::cudart
