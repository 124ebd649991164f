// A kernel launch that was checked and whose arguments were copied: it can run now, or later as a node of a graph.
#pragma once

#include <vector_types.h>

#include <optional>
#include <vector>

#include "grader/cudart/device/backend.h"

namespace warpgrade::cudart {

struct Runtime;

struct Configuration {
  dim3 grid, block;
  size_t shared_bytes = 0;
  cudaStream_t stream = nullptr;
  bool cooperative = false;
};

class BoundLaunch {
 public:
  // Runs the kernel to its end. A fault of the kernel is sticky from then on. cudaErrorNotReady: it waits for what
  // others write, and the next call goes on with it (work_queue.h).
  cudaError_t operator()(Runtime& runtime);

 private:
  friend cudaError_t Bind(Runtime&, const void*, const Configuration&, void**, BoundLaunch*);

  Launch launch_;  // its parameters are those below
  std::vector<std::byte> parameters_;
  std::optional<emulator::LaunchId> waiting_;
};

// Whether CUDA refuses all further work of the process after this error.
bool IsFault(cudaError_t error);

// Checks the launch of the kernel `host` and copies its arguments. Errors, explained on stderr: those of
// launch_rules.h; cudaErrorInvalidDeviceFunction; cudaErrorInvalidValue (an argument is missing, more dynamic shared
// memory than allowed).
cudaError_t Bind(Runtime& runtime, const void* host, const Configuration& configuration, void** arguments,
                 BoundLaunch* launch);

}  // namespace warpgrade::cudart
