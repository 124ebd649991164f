// Unpacks the worker's call into the student's function. Linked with one rung's object at a time; g++ compiles it, with
// the CUDA headers but without nvcc.
#include <stdexcept>
#include <string>

#include "grader/lab/call.h"
#include "labs/lab9/lab9.h"
#include "labs/support/launch_error.h"

extern "C" void warpgrade_lab_call(const warpgrade::LabCall* call) {
  if (call->buffer_count != 5 || call->size_count != 3) {
    throw std::invalid_argument("lab9 takes 5 buffers and 3 sizes, not " + std::to_string(call->buffer_count) +
                                " and " + std::to_string(call->size_count));
  }
  lab9::CallRung({.d_offsets = static_cast<const int*>(call->buffers[0]),
                  .d_columns = static_cast<const int*>(call->buffers[1]),
                  .d_values = static_cast<const float*>(call->buffers[2]),
                  .d_x = static_cast<const float*>(call->buffers[3]),
                  .d_y = static_cast<float*>(call->buffers[4]),
                  .rows = static_cast<int>(call->sizes[0]),
                  .columns = static_cast<int>(call->sizes[1]),
                  .nonzeros = static_cast<int>(call->sizes[2])},
                 static_cast<cudaStream_t>(call->stream));
  lab::ThrowLaunchError();
}
