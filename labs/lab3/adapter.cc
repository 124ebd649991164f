// Unpacks the worker's call into the student's function. Linked with one rung's object at a time; g++ compiles it, with
// the CUDA headers but without nvcc.
#include <cstdint>
#include <stdexcept>
#include <string>

#include "grader/lab/call.h"
#include "labs/lab3/lab3.h"
#include "labs/support/launch_error.h"

extern "C" void warpgrade_lab_call(const warpgrade::LabCall* call) {
  if (call->buffer_count != 3 || call->size_count != 3) {
    throw std::invalid_argument("lab3 takes 3 buffers and 3 sizes, not " + std::to_string(call->buffer_count) +
                                " and " + std::to_string(call->size_count));
  }
  if (call->variant != lab3::RungVariant()) {
    throw std::invalid_argument(std::string("this file multiplies matrices of type ") +
                                lab3::Name(lab3::RungVariant()) + ", and its rung those of type " +
                                lab3::Name(call->variant) +
                                ": v1 to v6 end with LAB3_RUNG();, v7 with LAB3_HALF_RUNG();");
  }
  lab3::CallRung(call->buffers[0], call->buffers[1], static_cast<float*>(call->buffers[2]), call->sizes[0],
                 call->sizes[1], call->sizes[2], static_cast<cudaStream_t>(call->stream));
  lab::ThrowLaunchError();
}
