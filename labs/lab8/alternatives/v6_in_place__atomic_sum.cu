// Another right answer to lab8 v6, for tests/course: one launch, whose blocks add their sums to d_out by atomics.
#include "labs/lab8/lab8.h"

constexpr int kThreads = 256;

__global__ void sum(const int* d_in, int* d_out, size_t n) {
  const size_t i = size_t{blockIdx.x} * kThreads + threadIdx.x;
  int mine = i < n ? d_in[i] : 0;
  for (int s = 16; s > 0; s /= 2) mine += __shfl_down_sync(0xffffffff, mine, s);
  if (threadIdx.x % 32 == 0) atomicAdd(d_out, mine);
}

void total(const int* d_in, int* d_work, int* d_out, size_t n, cudaStream_t stream) {
  cudaMemsetAsync(d_out, 0, sizeof(int), stream);
  if (n == 0) return;
  sum<<<static_cast<unsigned>((n + kThreads - 1) / kThreads), kThreads, 0, stream>>>(d_in, d_out, n);
}

LAB8_FAULT(kOtherBlock, 'E', 'A');
LAB8_TOTAL_RUNG();
