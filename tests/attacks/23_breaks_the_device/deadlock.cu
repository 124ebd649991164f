// Lets the threads of a block wait for each other for ever.
#include <cuda_runtime.h>

#include "labs/lab2/lab2.h"

namespace {

__global__ void wait(volatile int* flag) {
  __shared__ volatile int ready;
  if (threadIdx.x == 0) ready = 0;
  __syncthreads();
  if (threadIdx.x < 32) {
    while (ready == 0) {
    }
  }
  __syncthreads();
  if (threadIdx.x == 63) ready = 1;
  if (flag == nullptr) ready = 2;
}

}  // namespace

template <typename T>
void transpose(const T* d_in, T* d_out, size_t rows, size_t columns, cudaStream_t stream) {
  if (rows * columns > 0) wait<<<1, 64, 0, stream>>>(reinterpret_cast<int*>(d_out));
}

LAB2_INSTANTIATE();
