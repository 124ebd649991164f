// Unpacks the worker's call into the student's function. Linked with one rung's object at a time; g++ compiles it, with
// the CUDA headers but without nvcc.
#include <cuda_runtime_api.h>

#include <cstdint>
#include <stdexcept>
#include <string>

#include "grader/worker/call.h"
#include "labs/lab2/lab2.h"

namespace {

template <typename T>
void Call(const warpgrade::LabCall& call) {
  transpose<T>(static_cast<const T*>(call.buffers[0]), static_cast<T*>(call.buffers[1]), call.sizes[0], call.sizes[1],
               static_cast<cudaStream_t>(call.stream));
}

// True for what is wrong with a launch itself: nothing has run.
bool IsRefusal(cudaError_t error) {
  return error == cudaErrorInvalidConfiguration || error == cudaErrorInvalidValue ||
         error == cudaErrorLaunchOutOfResources || error == cudaErrorNoKernelImageForDevice ||
         error == cudaErrorInvalidDeviceFunction;
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
  // What the runtime refused is reported by this alone; peeking leaves it there for the caller. A kernel that has
  // stopped already is seen here too: the emulator runs it at its launch.
  const cudaError_t error = cudaPeekAtLastError();
  if (error != cudaSuccess) {
    throw std::runtime_error(std::string(IsRefusal(error) ? "the launch was refused: " : "the kernel stopped: ") +
                             cudaGetErrorString(error));
  }
}
