// What lab1's benchmark compares a rung with: the library's kernel.
#pragma once

#include <cuda_runtime.h>

#include <cstddef>

namespace lab1 {

// Bytes of temporary device memory that CubSum needs for up to n elements.
size_t CubSumTemporaryBytes(size_t n);
// cub::DeviceReduce::Sum of d_in[0 .. n) into d_out[0].
cudaError_t CubSum(void* d_temporary, size_t temporary_bytes, const float* d_in, size_t n, float* d_out,
                   cudaStream_t stream);

}  // namespace lab1
