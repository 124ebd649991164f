#include "grader/lab/call.h"
#include "tests/judge/cuda/toy.h"

extern "C" void warpgrade_lab_call(const warpgrade::LabCall* call) {
  double_elements(static_cast<const int*>(call->buffers[0]), call->sizes[0], static_cast<int*>(call->buffers[1]),
                  static_cast<int*>(call->buffers[2]), static_cast<cudaStream_t>(call->stream));
}
