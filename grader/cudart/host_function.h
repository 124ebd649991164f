// Functions of the program's that a stream or a graph calls (cudaLaunchHostFunc, cudaStreamAddCallback, host nodes).
#pragma once

#include <driver_types.h>

#include "grader/cudart/error_state.h"
#include "grader/cudart/graph.h"

namespace warpgrade::cudart {

class HostFunction {
 public:
  // Calls it, without the runtime's lock. CUDA allows it no call of the API: it may wait for what waits for it.
  static void Run(const HostWork& function) {
    const HostFunction running;
    function();
  }
  // The calling thread is in such a function.
  static bool IsRunning() { return depth > 0; }
  static cudaError_t Refuse(ErrorState& errors) {
    return errors.Explain(cudaErrorNotPermitted,
                          "a function that a stream calls (cudaLaunchHostFunc, cudaStreamAddCallback, a host node) may "
                          "not call CUDA; let it set a flag, and make the call where the host waits for the stream");
  }

 private:
  HostFunction() { ++depth; }
  ~HostFunction() { --depth; }
  HostFunction(const HostFunction&) = delete;
  HostFunction& operator=(const HostFunction&) = delete;

  static inline thread_local int depth = 0;
};

}  // namespace warpgrade::cudart
