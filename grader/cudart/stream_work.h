// Work that belongs to a stream. The work is done at once, with two exceptions: if the stream is being captured, the
// work becomes a node of the graph; and if work that must come before it is not done, it is queued (work_queue.h).
#pragma once

#include <algorithm>
#include <initializer_list>
#include <memory>
#include <utility>

#include "grader/cudart/call.h"
#include "grader/cudart/captures.h"
#include "grader/cudart/default_stream.h"
#include "grader/cudart/device_link.h"
#include "grader/cudart/streams.h"
#include "grader/cudart/transfer.h"
#include "grader/cudart/work_queue.h"

namespace warpgrade::cudart {

// Does `work(runtime)` in `stream`, or records it in a graph, or queues it. Recorded and queued work is copied, so it
// may not refer to the caller's variables. `host_ends`: the places in memory that the work reads or writes. If one of
// them is in pageable memory, the work is never queued: the host waits until the earlier work is done. `when`, `used`:
// see WorkQueue.
template <typename Work>
cudaError_t Submit(Runtime& runtime, cudaStream_t stream, cudaGraphNodeType type, Work work,
                   std::initializer_list<const void*> host_ends = {},
                   WorkQueue::When when = WorkQueue::When::kAtTheCall, const std::vector<HostVisibleBytes>& used = {}) {
  if (!runtime.streams.IsLive(stream)) return cudaErrorInvalidResourceHandle;
  runtime.streams.Use(stream);
  if (!runtime.captures.running().empty()) {
    if (const std::shared_ptr<Capture> capture = runtime.captures.Of(stream)) {
      return Record(*capture, stream, {nullptr, type, std::move(work), nullptr, {}, runtime.device.call()});
    }
    const cudaError_t error = runtime.captures.CheckImplicit(stream);
    if (error != cudaSuccess) return error;
  }
  if (runtime.queue.empty()) return runtime.queue.Do(runtime, std::move(work), when, used);
  const StreamUse use = runtime.device.use();
  const bool waits =
      std::any_of(host_ends.begin(), host_ends.end(), [&](const void* end) { return IsPageable(runtime, end); });
  const cudaError_t error = waits ? runtime.queue.WaitBefore(runtime, use) : cudaSuccess;
  return error != cudaSuccess ? error : runtime.queue.Do(runtime, std::move(work), when, used);
}

// Calls Submit as part of the API function `api`. `caller`, here and below: see Call.
template <typename Work>
cudaError_t Enqueue(const char* api, cudaStream_t stream, cudaGraphNodeType type, Work work,
                    std::initializer_list<const void*> host_ends = {},
                    const void* caller = __builtin_return_address(0)) {
  return Call(
      api, [&](Runtime& runtime) { return Submit(runtime, stream, type, std::move(work), host_ends); }, caller);
}

// Runs `work(runtime)` as part of the API function `api`, in the default stream. The host waits until the work is done.
// Copies without a stream parameter use this.
template <typename Work>
cudaError_t DoNow(const char* api, Work&& work, const void* caller = __builtin_return_address(0)) {
  const auto body = [&](Runtime& runtime) {
    cudaError_t error = runtime.captures.CheckImplicit(DefaultStream());
    if (error == cudaSuccess) error = runtime.queue.WaitFor(runtime, runtime.streams.UseOf(DefaultStream()));
    runtime.streams.Use(DefaultStream(), /*synchronous=*/true);
    return error != cudaSuccess ? error : work(runtime);
  };
  return Call(api, body, caller);
}

// The same for work on device memory. The host waits for the work only if the host can access one of `places`. `work`
// may not refer to the caller's variables.
template <typename Work>
cudaError_t DoOnDevice(const char* api, std::initializer_list<const void*> places, Work work,
                       const void* caller = __builtin_return_address(0)) {
  const auto body = [&](Runtime& runtime) {
    cudaError_t error = runtime.captures.CheckImplicit(DefaultStream());
    const StreamUse use = runtime.streams.UseOf(DefaultStream(), /*synchronous=*/true);
    const bool host_waits = std::any_of(places.begin(), places.end(), [&](const void* place) {
      return !runtime.queue.empty() && runtime.device.IsHostVisible(reinterpret_cast<DevicePtr>(place));
    });
    if (error == cudaSuccess && host_waits) error = runtime.queue.WaitFor(runtime, use);
    runtime.device.UseStream(use);
    return error != cudaSuccess ? error : runtime.queue.Do(runtime, std::move(work));
  };
  return Call(api, body, caller);
}

}  // namespace warpgrade::cudart
