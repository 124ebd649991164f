// Unpacks the worker's call into the student's function. Linked with one rung's object at a time; g++ compiles it, with
// the CUDA headers but without nvcc.
#include <cstdint>
#include <stdexcept>
#include <string>

#include "grader/lab/call.h"
#include "labs/lab7/lab7.h"
#include "labs/support/launch_error.h"

extern "C" void warpgrade_lab_call(const warpgrade::LabCall* call) {
  if (call->buffer_count != 2 || call->size_count != 2) {
    throw std::invalid_argument("lab7 takes 2 buffers and 2 sizes, not " + std::to_string(call->buffer_count) +
                                " and " + std::to_string(call->size_count));
  }
  lab7::CallRung(call->variant, call->buffers[0], call->sizes[0], static_cast<unsigned*>(call->buffers[1]),
                 static_cast<int>(call->sizes[1]), static_cast<cudaStream_t>(call->stream));
  lab::ThrowLaunchError();
}
