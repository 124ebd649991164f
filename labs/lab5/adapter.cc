// Unpacks the worker's call into the student's function. Linked with one rung's object at a time; g++ compiles it, with
// the CUDA headers but without nvcc.
#include <stdexcept>
#include <string>

#include "grader/lab/call.h"
#include "labs/lab5/lab5.h"
#include "labs/support/launch_error.h"

extern "C" void warpgrade_lab_call(const warpgrade::LabCall* call) {
  if (call->buffer_count != 3 || call->size_count != 1) {
    throw std::invalid_argument("lab5 takes 3 buffers and 1 size, not " + std::to_string(call->buffer_count) + " and " +
                                std::to_string(call->size_count));
  }
  if (call->variant < 0 || call->variant >= lab5::kVariantCount) {
    throw std::invalid_argument("lab5 has no variant " + std::to_string(call->variant));
  }
  lab5::CallScan(call->variant, call->buffers[0], call->buffers[1], call->sizes[0], call->buffers[2],
                 static_cast<cudaStream_t>(call->stream));
  lab::ThrowLaunchError();
}
