// What lab10's benchmark compares a rung with: CUB, the library that a practitioner would pick.
#pragma once

#include <cuda_runtime_api.h>

#include <cstddef>
#include <cstdint>

namespace lab10 {

// Bytes of temporary device memory that CubSort needs.
size_t CubBytes(size_t n, int bits);

// cub::DeviceRadixSort::SortKeys: the same as sort_keys().
cudaError_t CubSort(void* d_temporary, size_t temporary_bytes, const uint32_t* d_in, uint32_t* d_out, size_t n,
                    int bits, cudaStream_t stream);

}  // namespace lab10
