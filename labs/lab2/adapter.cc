// Unpacks the worker's call into the student's function. Linked with one rung's object at a time; g++ compiles it, with
// the CUDA headers but without nvcc.
#include <cstdint>
#include <stdexcept>
#include <string>

#include "grader/lab/call.h"
#include "labs/lab2/lab2.h"
#include "labs/support/launch_error.h"

namespace {

template <typename T>
void Call(const warpgrade::LabCall& call) {
  transpose<T>(static_cast<const T*>(call.buffers[0]), static_cast<T*>(call.buffers[1]), call.sizes[0], call.sizes[1],
               static_cast<cudaStream_t>(call.stream));
}

}  // namespace

extern "C" void warpgrade_lab_call(const warpgrade::LabCall* call) {
  if (call->buffer_count != 2 || call->size_count != 2) {
    throw std::invalid_argument("lab2 takes 2 buffers and 2 sizes, not " + std::to_string(call->buffer_count) +
                                " and " + std::to_string(call->size_count));
  }
  switch (call->variant) {
    case lab2::kFloat:
      Call<float>(*call);
      break;
    case lab2::kDouble:
      Call<double>(*call);
      break;
    case lab2::kInt:
      Call<int>(*call);
      break;
    default:
      throw std::invalid_argument("lab2 has no variant " + std::to_string(call->variant));
  }
  lab::ThrowLaunchError();
}
