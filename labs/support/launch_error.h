// What a lab's adapter tells about a launch that failed, in words for a student.
#pragma once

#include <cuda_runtime_api.h>

#include <stdexcept>
#include <string>

#include "grader/lab/call.h"

namespace lab {

// True for what is wrong with a launch itself: nothing has run.
inline bool IsRefusal(cudaError_t error) {
  return error == cudaErrorInvalidConfiguration || error == cudaErrorInvalidValue ||
         error == cudaErrorLaunchOutOfResources || error == cudaErrorNoKernelImageForDevice ||
         error == cudaErrorInvalidDeviceFunction;
}

// Throws std::runtime_error when the student's function left an error behind. What the runtime refused is reported by
// this alone; peeking leaves it there for the caller. A kernel that has stopped already is seen here too: the emulator
// runs it at its launch.
inline void ThrowLaunchError() {
  const cudaError_t error = cudaPeekAtLastError();
  if (error == cudaSuccess) return;
  throw std::runtime_error(std::string(IsRefusal(error) ? warpgrade::kRefused : warpgrade::kStopped) +
                           cudaGetErrorString(error));
}

}  // namespace lab
