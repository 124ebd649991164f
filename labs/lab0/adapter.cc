// Unpacks the worker's call into the student's function. Linked with one rung's object at a time; g++ compiles it, with
// the CUDA headers but without nvcc.
#include <cstdint>
#include <stdexcept>
#include <string>

#include "grader/lab/call.h"
#include "labs/lab0/lab0.h"
#include "labs/support/launch_error.h"

namespace {

constexpr int kBuffers[] = {4, 2, 4, 4, 2};  // of each Task

bool HasResult(int32_t task) { return task == lab0::kVectorAdd || task == lab0::kStreams; }

bool WantsError(const warpgrade::LabCall& call) { return call.sizes[0] == lab0::kTooLarge || call.sizes[2] > 0; }

// What the function returned goes where the judge reads it. An error that it told of is no longer CUDA's last error;
// one that it kept to itself is, and ends the call.
void TellResult(const warpgrade::LabCall* call, int error) {
  *static_cast<int32_t*>(call->buffers[3]) = error;
  const cudaError_t last = cudaPeekAtLastError();
  if (error == cudaSuccess && last == cudaSuccess) return;
  if (error == cudaSuccess) {
    throw std::runtime_error(std::string(warpgrade::kReturned) + "cudaSuccess, but a CUDA call had failed: " +
                             cudaGetErrorName(last) + " (" + cudaGetErrorString(last) + ")");
  }
  cudaGetLastError();
  if (WantsError(*call)) return;
  const auto told = static_cast<cudaError_t>(error);
  throw std::runtime_error(std::string(warpgrade::kReturned) + cudaGetErrorName(told) + " (" +
                           cudaGetErrorString(told) + ")");
}

}  // namespace

extern "C" void warpgrade_lab_call(const warpgrade::LabCall* call) {
  if (call->variant != lab0::RungTask()) {
    throw std::invalid_argument(
        "this file's last line belongs to another rung: v1, v3 and v4 end with LAB0_VECTOR_RUNG();, v2 with "
        "LAB0_IMAGE_RUNG();, v5 with LAB0_STREAMS_RUNG();, v6 with LAB0_LINKS_RUNG();, v7 with LAB0_CLASSES_RUNG();");
  }
  if (call->buffer_count != kBuffers[call->variant] || call->size_count != (HasResult(call->variant) ? 3 : 2)) {
    throw std::invalid_argument("lab0 does not take " + std::to_string(call->buffer_count) + " buffers and " +
                                std::to_string(call->size_count) + " sizes");
  }
  lab0::Arguments arguments;
  const int arrays = HasResult(call->variant) ? 3 : call->buffer_count;
  for (int i = 0; i < arrays; ++i) arguments.buffers[i] = call->buffers[i];
  arguments.first = call->sizes[0];
  arguments.second = call->sizes[1];
  arguments.stream = static_cast<cudaStream_t>(call->stream);
  const int error = lab0::CallRung(arguments);
  if (HasResult(call->variant)) {
    TellResult(call, error);
  } else {
    lab::ThrowLaunchError();
  }
}
