// Capture: a stream's work becomes nodes instead of being done. Events carry dependencies between streams: a stream
// that waits for an event of a captured stream takes part in the capture from there. Tested by
// tests/cudart/programs_test.cc (programs/stream_capture.cu).
#include <fmt/format.h>

#include <algorithm>

#include "grader/cudart/api.h"
#include "grader/cudart/stream_work.h"

namespace warpgrade::cudart {
namespace {

bool IsLegacy(cudaStream_t stream) { return stream == nullptr || stream == cudaStreamLegacy; }

// Streams that wait for the legacy stream and it for them.
bool IsBlocking(Runtime& runtime, cudaStream_t stream) {
  const auto found = runtime.streams.find(stream);
  return found == runtime.streams.end() || (found->second->flags & cudaStreamNonBlocking) == 0;
}

cudaStreamCaptureStatus StatusOf(const std::shared_ptr<Capture>& capture) {
  if (capture == nullptr) return cudaStreamCaptureStatusNone;
  return capture->invalidated ? cudaStreamCaptureStatusInvalidated : cudaStreamCaptureStatusActive;
}

void Forget(Runtime& runtime, const std::shared_ptr<Capture>& capture) { std::erase(runtime.captures, capture); }

cudaError_t BeginCapture(Runtime& runtime, cudaStream_t stream, cudaStreamCaptureMode mode) {
  if (!runtime.IsStream(stream)) return cudaErrorInvalidResourceHandle;
  if (mode < cudaStreamCaptureModeGlobal || mode > cudaStreamCaptureModeRelaxed) return cudaErrorInvalidValue;
  if (IsLegacy(stream)) {
    return runtime.Explain(cudaErrorStreamCaptureUnsupported,
                           "the default stream cannot be captured; create a stream, or compile with --default-stream "
                           "per-thread and use cudaStreamPerThread");
  }
  if (CaptureOf(runtime, stream)) return cudaErrorIllegalState;
  auto capture = std::make_shared<Capture>();
  capture->id = ++runtime.captures_begun;
  capture->origin = stream;
  capture->mode = mode;
  capture->thread = std::this_thread::get_id();
  capture->heads[stream];
  runtime.captures.push_back(std::move(capture));
  return cudaSuccess;
}

cudaError_t EndCapture(Runtime& runtime, cudaStream_t stream, cudaGraph_t* graph) {
  if (graph == nullptr) return cudaErrorInvalidValue;
  *graph = nullptr;
  if (!runtime.IsStream(stream)) return cudaErrorInvalidResourceHandle;
  const std::shared_ptr<Capture> capture = CaptureOf(runtime, stream);
  if (capture == nullptr) return cudaErrorIllegalState;
  if (capture->origin != stream) return cudaErrorStreamCaptureUnmatched;
  if (capture->mode != cudaStreamCaptureModeRelaxed && capture->thread != std::this_thread::get_id()) {
    return cudaErrorStreamCaptureWrongThread;
  }
  Forget(runtime, capture);
  if (capture->invalidated) return cudaErrorStreamCaptureInvalidated;
  if (!capture->graph->IsReachable(capture->heads[stream])) {
    return runtime.Explain(cudaErrorStreamCaptureUnjoined,
                           "another stream took part in the capture and was not joined: record an event in it and let "
                           "the captured stream wait for that");
  }
  *graph = reinterpret_cast<cudaGraph_t>(capture->graph.get());
  runtime.graphs.emplace(*graph, std::move(capture->graph));
  return cudaSuccess;
}

}  // namespace

std::shared_ptr<Capture> CaptureOf(Runtime& runtime, cudaStream_t stream) {
  for (const std::shared_ptr<Capture>& capture : runtime.captures) {
    if (capture->heads.contains(stream)) return capture;
  }
  return nullptr;
}

bool IsCapturing(Runtime& runtime, cudaStream_t stream) { return CaptureOf(runtime, stream) != nullptr; }

cudaError_t CheckImplicit(Runtime& runtime, cudaStream_t stream) {
  if (!IsLegacy(stream)) return cudaSuccess;
  for (const std::shared_ptr<Capture>& capture : runtime.captures) {
    if (!IsBlocking(runtime, capture->origin)) continue;
    capture->invalidated = true;
    return runtime.Explain(cudaErrorStreamCaptureImplicit,
                           "the default stream waits for a stream that is being captured; give this work that stream, "
                           "or create it with cudaStreamNonBlocking");
  }
  return cudaSuccess;
}

cudaError_t CheckWait(Runtime& runtime, cudaStream_t stream) {
  if (runtime.captures.empty()) return cudaSuccess;
  const std::shared_ptr<Capture> capture = CaptureOf(runtime, stream);
  if (capture == nullptr) return CheckImplicit(runtime, stream);
  capture->invalidated = true;
  return runtime.Explain(cudaErrorStreamCaptureUnsupported,
                         "the stream is being captured: nothing runs yet that could be waited for");
}

cudaError_t CheckUnsafe(Runtime& runtime) {
  for (const std::shared_ptr<Capture>& capture : runtime.captures) {
    const bool forbidden =
        capture->mode == cudaStreamCaptureModeGlobal ||
        (capture->mode == cudaStreamCaptureModeThreadLocal && capture->thread == std::this_thread::get_id());
    if (!forbidden) continue;
    capture->invalidated = true;
    return runtime.Explain(cudaErrorStreamCaptureUnsupported,
                           "this call may wait for all streams, one of which is being captured; make it before the "
                           "capture, or capture with cudaStreamCaptureModeRelaxed");
  }
  return cudaSuccess;
}

cudaError_t Record(Capture& capture, cudaStream_t stream, GraphStep step) {
  const cudaGraphNodeType type = step.type;
  std::vector<GraphStep> steps;
  steps.push_back(std::move(step));
  return Record(capture, stream, type, std::move(steps));
}

cudaError_t Record(Capture& capture, cudaStream_t stream, cudaGraphNodeType type, std::vector<GraphStep> steps) {
  if (capture.invalidated) return cudaErrorStreamCaptureInvalidated;
  std::vector<GraphNode*>& heads = capture.heads.at(stream);
  GraphNode* node = capture.graph->Add(type, heads, {});
  for (GraphStep& step : steps) step.origin = node;
  node->steps = std::move(steps);
  heads = {node};
  return cudaSuccess;
}

}  // namespace warpgrade::cudart

using warpgrade::cudart::Call;
using warpgrade::cudart::Capture;
using warpgrade::cudart::CaptureOf;
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
    if (!runtime.IsStream(stream)) return cudaErrorInvalidResourceHandle;
    *status = warpgrade::cudart::StatusOf(CaptureOf(runtime, stream));
    return cudaSuccess;
  });
}

cudaError_t cudaStreamGetCaptureInfo(cudaStream_t stream, cudaStreamCaptureStatus* status, unsigned long long* id,
                                     cudaGraph_t* graph, const cudaGraphNode_t** dependencies,
                                     const cudaGraphEdgeData** edges, size_t* number) {
  return Call(__func__, [&](Runtime& runtime) {
    if (status == nullptr) return cudaErrorInvalidValue;
    if (!runtime.IsStream(stream)) return cudaErrorInvalidResourceHandle;
    const std::shared_ptr<Capture> capture = CaptureOf(runtime, stream);
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

// The calling thread's mode for unsafe calls; here only a capture's own mode decides.
cudaError_t cudaThreadExchangeStreamCaptureMode(cudaStreamCaptureMode* mode) {
  thread_local cudaStreamCaptureMode current = cudaStreamCaptureModeGlobal;
  return Call(__func__, [&](Runtime&) {
    if (mode == nullptr) return cudaErrorInvalidValue;
    std::swap(*mode, current);
    return cudaSuccess;
  });
}

}  // extern "C"
