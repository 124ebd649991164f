// Wrong: it takes a word that its last call has left in the workspace for one of this call.
#include "tests/judge/cuda/toy.h"

constexpr int kDone = 77;

__global__ void double_kernel(const int* d_in, size_t n, int* d_out, const int* d_work) {
  const size_t i = blockIdx.x * size_t{blockDim.x} + threadIdx.x;
  if (i < n && d_work[0] != kDone) d_out[i] = 2 * d_in[i];
}

__global__ void finish(int* d_work) { d_work[0] = kDone; }

void double_elements(const int* d_in, size_t n, int* d_out, int* d_work, cudaStream_t stream) {
  if (n == 0) return;
  double_kernel<<<(n + 127) / 128, 128, 0, stream>>>(d_in, n, d_out, d_work);
  finish<<<1, 1, 0, stream>>>(d_work);
}
