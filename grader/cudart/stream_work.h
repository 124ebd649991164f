// Work that belongs to a stream: done at once or, while the stream is captured, made a node of the graph. Behind work
// that is not done it is queued (work_queue.h).
#pragma once

#include <algorithm>
#include <initializer_list>
#include <memory>
#include <utility>

#include "grader/cudart/call.h"
#include "grader/cudart/captures.h"
#include "grader/cudart/device_link.h"
#include "grader/cudart/streams.h"
#include "grader/cudart/transfer.h"
#include "grader/cudart/work_queue.h"

namespace warpgrade::cudart {

// Does `work(runtime)` in `stream`, or records or queues it. Then it is copied, so it may not refer to the caller's
// variables. `host_ends`: places that it reads or writes. If one of them is pageable memory, it is never queued: the
// host waits for what it comes after. `when`, `used`: see WorkQueue.
template <typename Work>
cudaError_t Submit(Runtime& runtime, cudaStream_t stream, cudaGraphNodeType type, Work work,
                   std::initializer_list<const void*> host_ends = {},
                   WorkQueue::When when = WorkQueue::When::kAtTheCall, const std::vector<HostVisibleBytes>& used = {}) {
  if (!runtime.streams.IsLive(stream)) return cudaErrorInvalidResourceHandle;
  runtime.streams.Use(stream);
  if (!runtime.captures.running().empty()) {
    if (const std::shared_ptr<Capture> capture = runtime.captures.Of(stream)) {
      return Record(*capture, stream, {nullptr, type, std::move(work), nullptr});
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

// Submit as the API function `api`.
template <typename Work>
cudaError_t Enqueue(const char* api, cudaStream_t stream, cudaGraphNodeType type, Work work,
                    std::initializer_list<const void*> host_ends = {}) {
  return Call(api, [&](Runtime& runtime) { return Submit(runtime, stream, type, std::move(work), host_ends); });
}

// Runs `work(runtime)` as the API function `api`, in the legacy stream; the host waits for it. So do the copies that
// take no stream.
template <typename Work>
cudaError_t DoNow(const char* api, Work&& work) {
  return Call(api, [&](Runtime& runtime) {
    cudaError_t error = runtime.captures.CheckImplicit(cudaStreamLegacy);
    if (error == cudaSuccess) error = runtime.queue.WaitFor(runtime, runtime.streams.UseOf(cudaStreamLegacy));
    runtime.streams.Use(cudaStreamLegacy, /*synchronous=*/true);
    return error != cudaSuccess ? error : work(runtime);
  });
}

// The same for work on memory of the device, for which the host waits only if it reaches one of the places too. `work`
// may not refer to the caller's variables.
template <typename Work>
cudaError_t DoOnDevice(const char* api, std::initializer_list<const void*> places, Work work) {
  return Call(api, [&](Runtime& runtime) {
    cudaError_t error = runtime.captures.CheckImplicit(cudaStreamLegacy);
    const StreamUse use = runtime.streams.UseOf(cudaStreamLegacy, /*synchronous=*/true);
    const bool host_waits = std::any_of(places.begin(), places.end(), [&](const void* place) {
      return !runtime.queue.empty() && runtime.device.IsHostVisible(reinterpret_cast<DevicePtr>(place));
    });
    if (error == cudaSuccess && host_waits) error = runtime.queue.WaitFor(runtime, use);
    runtime.device.UseStream(use);
    return error != cudaSuccess ? error : runtime.queue.Do(runtime, std::move(work));
  });
}

}  // namespace warpgrade::cudart
