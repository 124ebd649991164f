// See empty_kernel.cu.
#pragma once

#include <cuda_runtime_api.h>

#include <cstdint>

// Launches a kernel that does nothing, for so long. Errors are left to cudaGetLastError.
extern "C" void warpgrade_worker_launch_empty_kernel(cudaStream_t stream, uint32_t microseconds);
