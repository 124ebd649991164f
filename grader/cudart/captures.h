// Streams that are being captured into graphs: their work becomes nodes instead of being done.
#pragma once

#include <driver_types.h>

#include <memory>
#include <vector>

#include "grader/cudart/graph.h"

namespace warpgrade::cudart {

class ErrorState;
class Streams;

// Thread-compatible: Runtime::mutex guards it.
class Captures {
 public:
  Captures(Streams& streams, ErrorState& errors) : streams_(streams), errors_(errors) {}

  // Starts a capture whose origin is `stream`. REQUIRES: a live stream, which takes part in no capture.
  void Begin(cudaStream_t stream, cudaStreamCaptureMode mode);
  // Ends the capture. The caller keeps its graph.
  void End(const std::shared_ptr<Capture>& capture);
  void Clear() { running_.clear(); }

  const std::vector<std::shared_ptr<Capture>>& running() const { return running_; }
  bool IsRunning(const std::shared_ptr<Capture>& capture) const;
  // The capture that `stream` takes part in; nullptr: none.
  std::shared_ptr<Capture> Of(cudaStream_t stream) const;

  // Checks for what CUDA forbids during captures. Each error is explained on stderr and invalidates the capture that it
  // concerns.
  //
  // Work in the legacy stream while a stream that waits for it is captured: cudaErrorStreamCaptureImplicit.
  cudaError_t CheckImplicit(cudaStream_t stream);
  // Waiting for a captured stream: cudaErrorStreamCaptureUnsupported. Includes CheckImplicit.
  cudaError_t CheckWait(cudaStream_t stream);
  // Calls that may wait for all streams, such as cudaMalloc and cudaDeviceSynchronize:
  // cudaErrorStreamCaptureUnsupported.
  cudaError_t CheckUnsafe();

 private:
  Streams& streams_;
  ErrorState& errors_;
  std::vector<std::shared_ptr<Capture>> running_;
  unsigned long long begun_ = 0;
};

// Adds a node to the graph that `stream` is captured into. cudaErrorStreamCaptureInvalidated: something forbidden was
// done before. REQUIRES: `stream` takes part in `capture`.
cudaError_t Record(Capture& capture, cudaStream_t stream, GraphStep step);
cudaError_t Record(Capture& capture, cudaStream_t stream, cudaGraphNodeType type, std::vector<GraphStep> steps);

}  // namespace warpgrade::cudart
