// What lab5's benchmark compares a rung with: CUB, the library that a practitioner would pick.
#pragma once

#include <cuda_runtime_api.h>

#include <cstddef>
#include <cstdint>

namespace lab5 {

// The size of CUB's workspace for n elements of a variant (lab5.h).
size_t CubBytes(int32_t variant, size_t n);

// cub::DeviceScan::InclusiveSum or ExclusiveSum on `stream`.
cudaError_t CubScan(int32_t variant, void* d_temporary, size_t temporary_bytes, const void* d_in, void* d_out, size_t n,
                    cudaStream_t stream);

}  // namespace lab5
