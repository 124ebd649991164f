// The kernel of an empty call, by which the judge measures the overhead of a call (grader/judge/empty_calls.h).
#pragma once

#include <cuda_runtime_api.h>

#include <cstdint>

// Launches a kernel that does nothing for `microseconds`. cudaGetLastError tells whether the launch failed.
extern "C" void warpgrade_worker_launch_empty_kernel(cudaStream_t stream, uint32_t microseconds);
