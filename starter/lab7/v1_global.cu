// Generated from solutions/lab7/v1_global.cu by `warpgrade make-starter`; yours to edit.
// lab7 v1: global atomics.
//
// The weakness of a loop on the host (++bins[in[i]]): one core counts one element at a time. Here every element has a
// thread. Two threads may need the same counter at the same time. Adding 1 is three steps: read, add and write. Another
// thread may come in between, and then one addition is lost. So the addition must be one step: an atomic addition.
#include "labs/lab7/lab7.h"

constexpr int kThreads = 256;  // threads of a block; each counts one element

// REQUIRES: d_bins holds zeros. d_in has an element for every thread whose number is below n.
template <typename T>
__global__ void histogram_v1(const T* d_in, size_t n, unsigned* d_bins, int bins) {
  // TODO(v1) Produce: element i of d_in counted in d_bins, where i is the number of this thread in the grid.
  //   Constraint: one element per thread. Do not count values that belong to no bin.
  //   Hint: i is a size_t. In the last block some threads have no element. Use atomicAdd(address, 1u).
  //   Check: ./warpgrade check lab7 v1
}

template <typename T>
void histogram(const T* d_in, size_t n, unsigned* d_bins, int bins, cudaStream_t stream) {
  NOT_WRITTEN_YET();
  // TODO(v1) Produce: zeros in d_bins, then a launch of histogram_v1 with a thread for each element, on `stream`.
  //   Constraint: with n = 0, launch no kernel, but the bins must still become 0.
  //   Hint: cudaMemsetAsync counts bytes. Round up the number of blocks.
  //   Check: ./warpgrade check lab7 v1
  histogram_v1<<<1, kThreads, 0, stream>>>(d_in, n, d_bins, bins);
}

LAB7_RUNG();
