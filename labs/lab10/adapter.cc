// Unpacks the worker's call into the student's function. Linked with one rung's object at a time; g++ compiles it, with
// the CUDA headers but without nvcc.
#include <cstdint>
#include <stdexcept>
#include <string>

#include "grader/lab/call.h"
#include "labs/lab10/lab10.h"
#include "labs/support/launch_error.h"

extern "C" void warpgrade_lab_call(const warpgrade::LabCall* call) {
  if (call->buffer_count != 3 || call->size_count != 2) {
    throw std::invalid_argument("lab10 takes 3 buffers and 2 sizes, not " + std::to_string(call->buffer_count) +
                                " and " + std::to_string(call->size_count));
  }
  lab10::CallRung(static_cast<const uint32_t*>(call->buffers[0]), static_cast<uint32_t*>(call->buffers[1]),
                  call->sizes[0], static_cast<int>(call->sizes[1]), static_cast<uint32_t*>(call->buffers[2]),
                  static_cast<cudaStream_t>(call->stream));
  lab::ThrowLaunchError();
}
