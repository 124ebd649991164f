// The kernel of an empty call: the GPU changes over to this process's context for it, as it does for a student's
// kernel, so that an empty call costs the judge what a real one does. Never launched on the emulator.
#include "grader/worker/empty_kernel.h"

namespace {

__global__ void EmptyKernel() {}

}  // namespace

extern "C" void warpgrade_worker_launch_empty_kernel(cudaStream_t stream) { EmptyKernel<<<1, 32, 0, stream>>>(); }
