// Doubles the elements in a stream of its own after a memset in another, by the students two_streams_ordered.cu (which
// waits for the memset) and two_streams_not_ordered.cu (which does not).
#pragma once

#include "tests/judge/cuda/toy.h"

__global__ void add_twice(const int* d_in, size_t n, int* d_sum) {
  const size_t i = blockIdx.x * size_t{blockDim.x} + threadIdx.x;
  if (i < n) d_sum[i] += 2 * d_in[i];
}

inline void DoubleInTwoStreams(const int* d_in, size_t n, int* d_out, cudaStream_t stream, bool waits) {
  if (n == 0) return;
  cudaStreamSynchronize(stream);
  cudaStream_t clears, adds;
  cudaEvent_t cleared;
  cudaStreamCreateWithFlags(&clears, cudaStreamNonBlocking);
  cudaStreamCreateWithFlags(&adds, cudaStreamNonBlocking);
  cudaEventCreate(&cleared);
  cudaMemsetAsync(d_out, 0, n * sizeof(int), clears);
  cudaEventRecord(cleared, clears);
  if (waits) cudaStreamWaitEvent(adds, cleared);
  add_twice<<<(n + 127) / 128, 128, 0, adds>>>(d_in, n, d_out);
  cudaStreamSynchronize(adds);
  cudaEventDestroy(cleared);
  cudaStreamDestroy(clears);
  cudaStreamDestroy(adds);
}
