// Work that belongs to a stream: done at once or, while the stream is being captured, made a node of the graph.
#pragma once

#include "grader/cudart/graph.h"
#include "grader/cudart/runtime.h"

namespace warpgrade::cudart {

// The capture that `stream` takes part in; nullptr: none.
std::shared_ptr<Capture> CaptureOf(Runtime& runtime, cudaStream_t stream);
bool IsCapturing(Runtime& runtime, cudaStream_t stream);

// What CUDA forbids during captures, each explained and each spoiling the capture that it meets:
// work in the legacy stream while a stream that waits for it is captured (cudaErrorStreamCaptureImplicit);
cudaError_t CheckImplicit(Runtime& runtime, cudaStream_t stream);
// waiting for a captured stream (cudaErrorStreamCaptureUnsupported);
cudaError_t CheckWait(Runtime& runtime, cudaStream_t stream);
// calls that may wait for all streams, such as cudaMalloc and cudaDeviceSynchronize (the same error).
cudaError_t CheckUnsafe(Runtime& runtime);

// Adds a node to the graph that `stream` is captured into. cudaErrorStreamCaptureInvalidated: it was spoiled before.
cudaError_t Record(Capture& capture, cudaStream_t stream, GraphStep step);
cudaError_t Record(Capture& capture, cudaStream_t stream, cudaGraphNodeType type, std::vector<GraphStep> steps);

// Does `work(runtime)`, or records it. It is copied then: it may not refer to the caller's variables.
template <typename Work>
cudaError_t Submit(Runtime& runtime, cudaStream_t stream, cudaGraphNodeType type, Work work) {
  if (!runtime.IsStream(stream)) return cudaErrorInvalidResourceHandle;
  runtime.UseStream(stream);
  if (runtime.captures.empty()) return work(runtime);
  if (const std::shared_ptr<Capture> capture = CaptureOf(runtime, stream)) {
    return Record(*capture, stream, {nullptr, type, std::move(work), nullptr});
  }
  const cudaError_t error = CheckImplicit(runtime, stream);
  return error != cudaSuccess ? error : work(runtime);
}

// Submit as the API function `api`.
template <typename Work>
cudaError_t Enqueue(const char* api, cudaStream_t stream, cudaGraphNodeType type, Work work) {
  return Call(api, [&](Runtime& runtime) { return Submit(runtime, stream, type, std::move(work)); });
}

}  // namespace warpgrade::cudart
