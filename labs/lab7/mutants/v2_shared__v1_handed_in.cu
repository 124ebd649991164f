// A wrong answer to lab7 v2, for tests/course: v1 handed in as v2.
#include "labs/lab7/lab7.h"

constexpr int kThreads = 256;  // of a block; each counts one element

// REQUIRES: d_bins holds zeros. d_in has an element for every thread whose number is below n.
template <typename T>
__global__ void histogram_v2(const T* d_in, size_t n, unsigned* d_bins, int bins) {
  const size_t i = size_t{blockIdx.x} * kThreads + threadIdx.x;
  if (i >= n) return;
  const int value = d_in[i];
  if (0 <= value && value < bins) atomicAdd(&d_bins[value], 1u);
}

template <typename T>
void histogram(const T* d_in, size_t n, unsigned* d_bins, int bins, cudaStream_t stream) {
  cudaMemsetAsync(d_bins, 0, bins * sizeof(unsigned), stream);
  if (n == 0) return;
  const unsigned blocks = static_cast<unsigned>(lab7::DivideUp(n, kThreads));
  histogram_v2<<<blocks, kThreads, 0, stream>>>(d_in, n, d_bins, bins);
}

LAB7_RUNG();
