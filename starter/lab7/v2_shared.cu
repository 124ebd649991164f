// Generated from solutions/lab7/v2_shared.cu by `warpgrade make-starter`; yours to edit.
// lab7 v2: shared atomics.
//
// The fault of v1: the whole GPU adds to the same few counters in the L2 cache, one atomic for each element. Here every
// block has counters of its own, in shared memory, which is nearer and which only this block wants; at its end it adds
// them to those of all. That pays only when a block counts many more elements than it has counters: so there are few
// blocks, and each thread counts many elements.
#include "labs/lab7/lab7.h"

constexpr int kThreads = 256;
[[maybe_unused]] constexpr int kFewestPerThread = 16;         // fewer blocks rather than fewer elements for each thread
[[maybe_unused]] constexpr int kBlocksPerMultiprocessor = 8;  // and never more blocks than this for each multiprocessor

// REQUIRES: d_bins holds zeros. Shared memory: bins counters.
template <typename T>
__global__ void histogram_v2(const T* d_in, size_t n, unsigned* d_bins, int bins) {
  extern __shared__ unsigned counts[];
  // TODO(v2) Produce: what v1 produced, with one addition to each counter of d_bins per block.
  //   Constraint: `counts` has room for `bins` counters; a block is kThreads threads; any number of blocks.
  //   Hint: clear, count, add up. Element i, then the one a whole grid further on. What has to lie in between?
  //   Check: ./warpgrade check lab7 v2
}

template <typename T>
void histogram(const T* d_in, size_t n, unsigned* d_bins, int bins, cudaStream_t stream) {
  NOT_WRITTEN_YET();
  // TODO(v2) Produce: zeros in d_bins, then a launch of histogram_v2 on `stream`.
  //   Constraint: kFewestPerThread elements for each thread, as long as n has them, and no more than
  //     kBlocksPerMultiprocessor blocks for each multiprocessor.
  //   Hint: cudaDeviceGetAttribute knows how many multiprocessors there are. How many bytes are `bins` counters?
  //   Check: ./warpgrade check lab7 v2
  const size_t shared_bytes = 0;
  histogram_v2<<<1, kThreads, shared_bytes, stream>>>(d_in, n, d_bins, bins);
}

LAB7_RUNG();
