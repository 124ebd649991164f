// Launches a kernel that never ends.
#include <cuda_runtime.h>

#include "labs/lab2/lab2.h"

namespace {

__global__ void forever(volatile int* never) {
  while (*never != 12345) {
  }
}

}  // namespace

template <typename T>
void transpose(const T* d_in, T* d_out, size_t rows, size_t columns, cudaStream_t stream) {
  if (rows * columns > 0) forever<<<1, 1, 0, stream>>>(reinterpret_cast<int*>(d_out));
}

LAB2_INSTANTIATE();
