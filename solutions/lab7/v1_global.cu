// lab7 v1: global atomics.
//
// The fault of what came before (a loop on the host: ++bins[in[i]]): one core counts one element at a time. Here every
// element has a thread. Two threads may want the same counter, and adding 1 to it is three steps (read, add, write), of
// which another thread may come between: so the addition has to be one step, an atomic one.
#include "labs/lab7/lab7.h"

constexpr int kThreads = 256;  // of a block; each counts one element

// REQUIRES: d_bins holds zeros. d_in has an element for every thread whose number is below n.
template <typename T>
__global__ void histogram_v1(const T* d_in, size_t n, unsigned* d_bins, int bins) {
  // BEGIN SOLUTION
  const size_t i = size_t{blockIdx.x} * kThreads + threadIdx.x;
  if (i >= n) return;
  const int value = d_in[i];
  if (0 <= value && value < bins) atomicAdd(&d_bins[value], 1u);
  // ELSE STARTER
  //| // TODO(v1) Produce: element i of d_in counted in d_bins, i being the number of this thread in the grid.
  //| //   Constraint: one element per thread; values that belong to no bin are not counted.
  //| //   Hint: i is a size_t; in the last block some threads have no element. atomicAdd(address, 1u).
  //| //   Check: ./warpgrade check lab7 v1
  // END SOLUTION
}

template <typename T>
void histogram(const T* d_in, size_t n, unsigned* d_bins, int bins, cudaStream_t stream) {
  // BEGIN SOLUTION
  cudaMemsetAsync(d_bins, 0, bins * sizeof(unsigned), stream);
  if (n == 0) return;
  const unsigned blocks = static_cast<unsigned>(lab7::DivideUp(n, kThreads));
  histogram_v1<<<blocks, kThreads, 0, stream>>>(d_in, n, d_bins, bins);
  // ELSE STARTER
  //| NOT_WRITTEN_YET();
  //| // TODO(v1) Produce: zeros in d_bins, then a launch of histogram_v1 with a thread for each element, on `stream`.
  //| //   Constraint: with n = 0 there is nothing to launch, but the bins still have to be 0.
  //| //   Hint: cudaMemsetAsync counts bytes. Round up when you count blocks.
  //| //   Check: ./warpgrade check lab7 v1
  //| histogram_v1<<<1, kThreads, 0, stream>>>(d_in, n, d_bins, bins);
  // END SOLUTION
}

LAB7_RUNG();
