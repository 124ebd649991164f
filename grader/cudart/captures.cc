// Which streams are captured, what is not allowed meanwhile, and the nodes that their work becomes. The streams that
// take part in a capture own it (Capture::heads). Tested by tests/cudart/programs_test.cc (programs/stream_capture.cu).
#include "grader/cudart/captures.h"

#include <algorithm>
#include <thread>
#include <utility>

#include "grader/cudart/error_state.h"
#include "grader/cudart/streams.h"

namespace warpgrade::cudart {
namespace {

// True if the legacy stream and `stream` wait for each other.
bool IsBlocking(const Streams& streams, cudaStream_t stream) {
  const Stream* created = streams.FindCreated(stream);
  return created == nullptr || created->IsBlocking();
}

}  // namespace

void Captures::Begin(cudaStream_t stream, cudaStreamCaptureMode mode) {
  auto capture = std::make_shared<Capture>();
  capture->id = ++begun_;
  capture->origin = stream;
  capture->mode = mode;
  capture->thread = std::this_thread::get_id();
  capture->heads[stream];
  running_.push_back(std::move(capture));
}

void Captures::End(const std::shared_ptr<Capture>& capture) { std::erase(running_, capture); }

bool Captures::IsRunning(const std::shared_ptr<Capture>& capture) const {
  return std::find(running_.begin(), running_.end(), capture) != running_.end();
}

std::shared_ptr<Capture> Captures::Of(cudaStream_t stream) const {
  for (const std::shared_ptr<Capture>& capture : running_) {
    if (capture->heads.contains(stream)) return capture;
  }
  return nullptr;
}

cudaError_t Captures::CheckImplicit(cudaStream_t stream) {
  if (!IsLegacyStream(stream)) return cudaSuccess;
  for (const std::shared_ptr<Capture>& capture : running_) {
    if (!IsBlocking(streams_, capture->origin)) continue;
    capture->invalidated = true;
    return errors_.Explain(cudaErrorStreamCaptureImplicit,
                           "the default stream waits for a stream that is being captured; give this work that stream, "
                           "or create it with cudaStreamNonBlocking");
  }
  return cudaSuccess;
}

cudaError_t Captures::CheckWait(cudaStream_t stream) {
  if (running_.empty()) return cudaSuccess;
  const std::shared_ptr<Capture> capture = Of(stream);
  if (capture == nullptr) return CheckImplicit(stream);
  capture->invalidated = true;
  return errors_.Explain(cudaErrorStreamCaptureUnsupported,
                         "the stream is being captured, so nothing runs in it that a call could wait for; end the "
                         "capture first");
}

cudaError_t Captures::CheckUnsafe() {
  for (const std::shared_ptr<Capture>& capture : running_) {
    const bool forbidden =
        capture->mode == cudaStreamCaptureModeGlobal ||
        (capture->mode == cudaStreamCaptureModeThreadLocal && capture->thread == std::this_thread::get_id());
    if (!forbidden) continue;
    capture->invalidated = true;
    return errors_.Explain(cudaErrorStreamCaptureUnsupported,
                           "this call may wait for all streams, and one of them is being captured; make the call "
                           "before the capture, or capture with cudaStreamCaptureModeRelaxed");
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
