// Unpacks the worker's call into the student's function. Linked with one rung's object at a time; g++ compiles it, with
// the CUDA headers but without nvcc.
#include <cstdint>
#include <stdexcept>
#include <string>

#include "grader/lab/call.h"
#include "labs/lab6/lab6.h"
#include "labs/lab6/weights.h"
#include "labs/support/launch_error.h"

extern "C" void warpgrade_lab_call(const warpgrade::LabCall* call) {
  if (call->buffer_count != 3 || call->size_count != 4) {
    throw std::invalid_argument("lab6 takes 3 buffers and 4 sizes, not " + std::to_string(call->buffer_count) +
                                " and " + std::to_string(call->size_count));
  }
  lab6::CallRung(static_cast<const float*>(call->buffers[0]), static_cast<float*>(call->buffers[1]),
                 static_cast<float*>(call->buffers[2]), call->sizes[0], call->sizes[1], call->variant,
                 lab6::MakeWeights(call->variant, call->sizes[3]), static_cast<int>(call->sizes[2]),
                 static_cast<cudaStream_t>(call->stream));
  lab::ThrowLaunchError();
}
