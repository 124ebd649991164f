// Generated from solutions/lab7/v2_shared.cu by `warpgrade make-starter`; yours to edit.
// lab7 v2: shared atomics.
//
// The weakness of v1: the whole GPU adds to the same few counters in the L2 cache, with one atomic for each element.
// Here every block has its own counters in shared memory, which is nearer and which no other block uses. At its end,
// the block adds its counters to d_bins. This pays only if a block counts many more elements than it has counters. So
// there are few blocks, and each thread counts many elements.
#include "labs/lab7/lab7.h"

constexpr int kThreads = 256;
[[maybe_unused]] constexpr int kFewestPerThread = 16;         // elements; with a smaller n, use fewer blocks
[[maybe_unused]] constexpr int kBlocksPerMultiprocessor = 8;  // at most, however large n is

// REQUIRES: d_bins holds zeros. Shared memory: bins counters.
template <typename T>
__global__ void histogram_v2(const T* d_in, size_t n, unsigned* d_bins, int bins) {
  extern __shared__ unsigned counts[];
  // TODO(v2) Produce: what v1 produced. Each block adds only once to each counter of d_bins.
  //   Constraint: `counts` has room for `bins` counters. A block has kThreads threads. Any number of blocks.
  //   Hint: clear, count, add up. A thread takes element i, then the one a whole grid further on. What must stand
  //     between the three phases?
  //   Check: ./warpgrade check lab7 v2
}

template <typename T>
void histogram(const T* d_in, size_t n, unsigned* d_bins, int bins, cudaStream_t stream) {
  NOT_WRITTEN_YET();
  // TODO(v2) Produce: zeros in d_bins, then a launch of histogram_v2 on `stream`.
  //   Constraint: at least kFewestPerThread elements for each thread, if n is large enough. At most
  //     kBlocksPerMultiprocessor blocks for each multiprocessor.
  //   Hint: cudaDeviceGetAttribute tells you how many multiprocessors there are. How many bytes do `bins`
  //     counters need?
  //   Check: ./warpgrade check lab7 v2
  const size_t shared_bytes = 0;
  histogram_v2<<<1, kThreads, shared_bytes, stream>>>(d_in, n, d_bins, bins);
}

LAB7_RUNG();
