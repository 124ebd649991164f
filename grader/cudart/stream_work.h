// Work that belongs to a stream: done at once or, while the stream is captured, made a node of the graph.
#pragma once

#include <memory>
#include <utility>

#include "grader/cudart/call.h"
#include "grader/cudart/captures.h"
#include "grader/cudart/streams.h"

namespace warpgrade::cudart {

// Does `work(runtime)` in `stream`, or records it. A recorded `work` is copied, so it may not refer to the caller's
// variables.
template <typename Work>
cudaError_t Submit(Runtime& runtime, cudaStream_t stream, cudaGraphNodeType type, Work work) {
  if (!runtime.streams.IsLive(stream)) return cudaErrorInvalidResourceHandle;
  runtime.streams.Use(stream);
  if (runtime.captures.running().empty()) return work(runtime);
  if (const std::shared_ptr<Capture> capture = runtime.captures.Of(stream)) {
    return Record(*capture, stream, {nullptr, type, std::move(work), nullptr});
  }
  const cudaError_t error = runtime.captures.CheckImplicit(stream);
  return error != cudaSuccess ? error : work(runtime);
}

// Submit as the API function `api`.
template <typename Work>
cudaError_t Enqueue(const char* api, cudaStream_t stream, cudaGraphNodeType type, Work work) {
  return Call(api, [&](Runtime& runtime) { return Submit(runtime, stream, type, std::move(work)); });
}

// Runs `work(runtime)` as the API function `api`, in the legacy stream; the host waits for it. So do the copies that
// take no stream.
template <typename Work>
cudaError_t DoNow(const char* api, Work&& work) {
  return Call(api, [&](Runtime& runtime) {
    const cudaError_t error = runtime.captures.CheckImplicit(cudaStreamLegacy);
    runtime.streams.Use(cudaStreamLegacy, /*synchronous=*/true);
    return error != cudaSuccess ? error : work(runtime);
  });
}

}  // namespace warpgrade::cudart
