// Lets CUB reduce.
#include <cub/cub.cuh>

#include "labs/lab1/lab1.h"

template <typename T, typename Op>
void reduce(const T* d_in, size_t n, T* d_out, T*, cudaStream_t stream) {
  size_t bytes = 0;
  void* storage = nullptr;
  cub::DeviceReduce::Reduce(storage, bytes, d_in, d_out, n, Op(), Op::neutral(), stream);
  if (cudaMallocAsync(&storage, bytes, stream) != cudaSuccess) return;
  cub::DeviceReduce::Reduce(storage, bytes, d_in, d_out, n, Op(), Op::neutral(), stream);
  cudaFreeAsync(storage, stream);
}

LAB1_INSTANTIATE();
