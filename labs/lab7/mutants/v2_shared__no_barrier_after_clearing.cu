// A wrong answer to lab7 v2, for tests/course: counters are counted in before all of them are cleared.
#include "labs/lab7/lab7.h"

constexpr int kThreads = 256;
constexpr int kFewestPerThread = 16;         // fewer blocks rather than fewer elements for each thread
constexpr int kBlocksPerMultiprocessor = 8;  // and never more blocks than this for each multiprocessor

// REQUIRES: d_bins holds zeros. Shared memory: bins counters.
template <typename T>
__global__ void histogram_v2(const T* d_in, size_t n, unsigned* d_bins, int bins) {
  extern __shared__ unsigned counts[];
  for (int bin = threadIdx.x; bin < bins; bin += kThreads) counts[bin] = 0;

  const size_t stride = size_t{gridDim.x} * kThreads;
  for (size_t i = size_t{blockIdx.x} * kThreads + threadIdx.x; i < n; i += stride) {
    const int value = d_in[i];
    if (0 <= value && value < bins) atomicAdd(&counts[value], 1u);
  }
  __syncthreads();  // everyone has counted before anyone reads the counters

  for (int bin = threadIdx.x; bin < bins; bin += kThreads) {
    if (counts[bin] > 0) atomicAdd(&d_bins[bin], counts[bin]);
  }
}

template <typename T>
void histogram(const T* d_in, size_t n, unsigned* d_bins, int bins, cudaStream_t stream) {
  const size_t shared_bytes = bins * sizeof(unsigned);
  cudaMemsetAsync(d_bins, 0, shared_bytes, stream);
  if (n == 0) return;
  int device = 0, multiprocessors = 0;
  cudaGetDevice(&device);
  cudaDeviceGetAttribute(&multiprocessors, cudaDevAttrMultiProcessorCount, device);
  const size_t most = size_t(multiprocessors) * kBlocksPerMultiprocessor;
  const size_t useful = lab7::DivideUp(n, size_t{kThreads} * kFewestPerThread);
  const unsigned blocks = static_cast<unsigned>(useful < most ? useful : most);
  histogram_v2<<<blocks, kThreads, shared_bytes, stream>>>(d_in, n, d_bins, bins);
}

LAB7_RUNG();
