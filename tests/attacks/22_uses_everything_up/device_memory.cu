// Allocates device memory until there is none.
#include <cuda_runtime.h>

#include "labs/lab2/lab2.h"

template <typename T>
void transpose(const T* d_in, T* d_out, size_t rows, size_t columns, cudaStream_t stream) {
  void* block = nullptr;
  for (size_t bytes = size_t{1} << 30; bytes > 0; bytes /= 2) {
    while (cudaMalloc(&block, bytes) == cudaSuccess) {
    }
  }
}

LAB2_INSTANTIATE();
