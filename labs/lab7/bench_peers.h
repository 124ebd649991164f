// What lab7's benchmark compares a rung with: CUB, the library that a practitioner would pick.
#pragma once

#include <cuda_runtime_api.h>

#include <cstddef>
#include <cstdint>

namespace lab7 {

// Bytes of temporary device memory that CubHistogram needs for n elements of type `variant` (lab7.h).
size_t CubTemporaryBytes(int32_t variant, size_t n, int bins);

// cub::DeviceHistogram::HistogramEven with one bin for each of 0 .. bins - 1: the same counts as histogram().
cudaError_t CubHistogram(int32_t variant, void* d_temporary, size_t temporary_bytes, const void* d_in, size_t n,
                         unsigned* d_bins, int bins, cudaStream_t stream);

}  // namespace lab7
