// Unpacks the worker's call into the student's function. Linked with one rung's object at a time; g++ compiles it, with
// the CUDA headers but without nvcc.
#include <cstddef>
#include <stdexcept>
#include <string>

#include "grader/lab/call.h"
#include "labs/lab1/lab1.h"
#include "labs/support/launch_error.h"

extern "C" void warpgrade_lab_call(const warpgrade::LabCall* call) {
  if (call->buffer_count != lab1::kBuffers || call->size_count != lab1::kSizes) {
    throw std::invalid_argument("lab1 takes 3 buffers and 3 sizes, not " + std::to_string(call->buffer_count) +
                                " and " + std::to_string(call->size_count));
  }
  if (call->variant < 0 || call->variant >= lab1::kVariants) {
    throw std::invalid_argument("lab1 has no variant " + std::to_string(call->variant));
  }
  const lab1::Variant variant = lab1::VariantFromNumber(call->variant);
  lab1::CallReduce(variant, lab1::InputStart(variant, call->buffers[lab1::kInBuffer], call->sizes[lab1::kFront]),
                   call->sizes[lab1::kCount], call->buffers[lab1::kOutBuffer], call->buffers[lab1::kWorkBuffer],
                   static_cast<cudaStream_t>(call->stream));
  lab::ThrowLaunchError();
}
