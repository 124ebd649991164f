// Another right answer to lab8 v3, for tests/course: all lanes add in each step, but between the load and the store of
// a step they wait for each other.
#include "labs/lab8/lab8.h"

__global__ void sums(const int* d_in, int* d_out, size_t n) {
  extern __shared__ int sdata[];
  const unsigned t = threadIdx.x;
  const size_t i = size_t{blockIdx.x} * 2 * blockDim.x + t;
  sdata[t] = (i < n ? d_in[i] : 0) + (i + blockDim.x < n ? d_in[i + blockDim.x] : 0);
  __syncthreads();
  for (unsigned s = blockDim.x / 2; s > 32; s /= 2) {
    if (t < s) sdata[t] += sdata[t + s];
    __syncthreads();
  }
  if (t < 32) {
    int sum = sdata[t];
    for (unsigned s = 32; s > 0; s /= 2) {
      sum += sdata[t + s];
      __syncwarp();
      sdata[t] = sum;
      __syncwarp();
    }
  }
  if (t == 0) d_out[blockIdx.x] = sdata[0];
}

void block_sums(const int* d_in, int* d_out, size_t n, int threads, cudaStream_t stream) {
  if (n == 0) return;
  const auto blocks = static_cast<unsigned>((n + 2 * threads - 1) / (2 * threads));
  sums<<<blocks, threads, threads * sizeof(int), stream>>>(d_in, d_out, n);
}

LAB8_FAULT(kNoSyncwarp, 'E', 'E');
LAB8_SUMS_RUNG();
