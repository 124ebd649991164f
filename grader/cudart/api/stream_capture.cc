// Capture of streams into graphs (captures.h): while a stream is captured, its work becomes nodes instead of being
// done. A stream that waits for an event of a captured stream takes part in the capture from there on. Tested by
// tests/cudart/programs_test.cc (programs/stream_capture.cu, stream_queries.cu).
#include <thread>
#include <utility>

#include "grader/cudart/api/api.h"
#include "grader/cudart/call.h"
#include "grader/cudart/captures.h"
#include "grader/cudart/graphs.h"
#include "grader/cudart/streams.h"

namespace warpgrade::cudart {
namespace {

cudaStreamCaptureStatus StatusOf(const std::shared_ptr<Capture>& capture) {
  if (capture == nullptr) return cudaStreamCaptureStatusNone;
  return capture->invalidated ? cudaStreamCaptureStatusInvalidated : cudaStreamCaptureStatusActive;
}

cudaError_t BeginCapture(Runtime& runtime, cudaStream_t stream, cudaStreamCaptureMode mode) {
  if (!runtime.streams.IsLive(stream)) return cudaErrorInvalidResourceHandle;
  if (mode < cudaStreamCaptureModeGlobal || mode > cudaStreamCaptureModeRelaxed) return cudaErrorInvalidValue;
  if (IsLegacyStream(stream)) {
    return runtime.errors.Explain(
        cudaErrorStreamCaptureUnsupported,
        "the default stream cannot be captured; create a stream, or compile with --default-stream "
        "per-thread and use cudaStreamPerThread");
  }
  if (runtime.captures.Of(stream)) return cudaErrorIllegalState;
  runtime.captures.Begin(stream, mode);
  return cudaSuccess;
}

cudaError_t EndCapture(Runtime& runtime, cudaStream_t stream, cudaGraph_t* graph) {
  if (graph == nullptr) return cudaErrorInvalidValue;
  *graph = nullptr;
  if (!runtime.streams.IsLive(stream)) return cudaErrorInvalidResourceHandle;
  const std::shared_ptr<Capture> capture = runtime.captures.Of(stream);
  if (capture == nullptr) return cudaErrorIllegalState;
  if (capture->origin != stream) return cudaErrorStreamCaptureUnmatched;
  if (capture->mode != cudaStreamCaptureModeRelaxed && capture->thread != std::this_thread::get_id()) {
    return cudaErrorStreamCaptureWrongThread;
  }
  runtime.captures.End(capture);
  if (capture->invalidated) return cudaErrorStreamCaptureInvalidated;
  if (!capture->graph->IsReachable(capture->heads[stream])) {
    return runtime.errors.Explain(
        cudaErrorStreamCaptureUnjoined,
        "another stream took part in the capture and was not joined: record an event in it and let "
        "the captured stream wait for that");
  }
  *graph = runtime.graphs.own().Add(std::move(capture->graph));
  return cudaSuccess;
}

}  // namespace

}  // namespace warpgrade::cudart

using warpgrade::cudart::Call;
using warpgrade::cudart::Capture;
using warpgrade::cudart::GraphNode;
using warpgrade::cudart::Runtime;

extern "C" {

cudaError_t cudaStreamBeginCapture(cudaStream_t stream, cudaStreamCaptureMode mode) {
  return Call(__func__, [&](Runtime& runtime) { return warpgrade::cudart::BeginCapture(runtime, stream, mode); });
}

cudaError_t cudaStreamEndCapture(cudaStream_t stream, cudaGraph_t* graph) {
  return Call(__func__, [&](Runtime& runtime) { return warpgrade::cudart::EndCapture(runtime, stream, graph); });
}

cudaError_t cudaStreamIsCapturing(cudaStream_t stream, cudaStreamCaptureStatus* status) {
  return Call(__func__, [&](Runtime& runtime) {
    if (status == nullptr) return cudaErrorInvalidValue;
    if (!runtime.streams.IsLive(stream)) return cudaErrorInvalidResourceHandle;
    *status = warpgrade::cudart::StatusOf(runtime.captures.Of(stream));
    return cudaSuccess;
  });
}

cudaError_t cudaStreamGetCaptureInfo(cudaStream_t stream, cudaStreamCaptureStatus* status, unsigned long long* id,
                                     cudaGraph_t* graph, const cudaGraphNode_t** dependencies,
                                     const cudaGraphEdgeData** edges, size_t* number) {
  return Call(__func__, [&](Runtime& runtime) {
    if (status == nullptr) return cudaErrorInvalidValue;
    if (!runtime.streams.IsLive(stream)) return cudaErrorInvalidResourceHandle;
    const std::shared_ptr<Capture> capture = runtime.captures.Of(stream);
    *status = warpgrade::cudart::StatusOf(capture);
    if (*status != cudaStreamCaptureStatusActive) return cudaSuccess;
    const std::vector<GraphNode*>& heads = capture->heads.at(stream);
    if (id != nullptr) *id = capture->id;
    if (graph != nullptr) *graph = reinterpret_cast<cudaGraph_t>(capture->graph.get());
    if (dependencies != nullptr) *dependencies = reinterpret_cast<const cudaGraphNode_t*>(heads.data());
    if (edges != nullptr) *edges = nullptr;
    if (number != nullptr) *number = heads.size();
    return cudaSuccess;
  });
}

// The calling thread's mode for unsafe calls. It is stored but has no effect, because a capture's own mode decides.
cudaError_t cudaThreadExchangeStreamCaptureMode(cudaStreamCaptureMode* mode) {
  thread_local cudaStreamCaptureMode current = cudaStreamCaptureModeGlobal;
  return Call(__func__, [&](Runtime&) {
    if (mode == nullptr) return cudaErrorInvalidValue;
    std::swap(*mode, current);
    return cudaSuccess;
  });
}

}  // extern "C"
