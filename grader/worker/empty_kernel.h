// See empty_kernel.cu.
#pragma once

#include <cuda_runtime_api.h>

// Launches a kernel that does nothing. Errors are left to cudaGetLastError.
extern "C" void warpgrade_worker_launch_empty_kernel(cudaStream_t stream);
