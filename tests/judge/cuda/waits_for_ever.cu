// Waits for a value that nobody writes.
#include "tests/judge/cuda/toy.h"

__global__ void double_kernel(volatile int* d_work) {
  while (d_work[0] != 1) {
  }
}

void double_elements(const int*, size_t n, int*, int* d_work, cudaStream_t stream) {
  if (n > 0) double_kernel<<<1, 1, 0, stream>>>(d_work);
}
