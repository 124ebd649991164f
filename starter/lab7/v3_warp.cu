// Generated from solutions/lab7/v3_warp.cu by `warpgrade make-starter`; yours to edit.
// lab7 v3: aggregation in the warp.
//
// The weaknesses of v2: every element costs a load, an iteration and an atomic. All warps of a block share one copy
// of the counters. In most images neighbours are equal, and then 32 lanes need the same counter at the same time. Here
//
// - a lane loads four neighbours at a time;
// - every warp has its own counters, if there is room for them;
// - if a warp holds one value 128 times, one lane adds 128 with one addition.
#include "labs/lab7/lab7.h"

constexpr int kThreads = 256;
constexpr int kWarps = kThreads / 32;
[[maybe_unused]] constexpr int kFewestPerThread = 64;
[[maybe_unused]] constexpr int kBlocksPerMultiprocessor = 8;
constexpr int kMostCounters = 4096;  // counters of a block, 16 KB: 8 blocks then fit on a multiprocessor

// How many copies of the counters a block has. Warps with the same warp % copies share a copy.
__host__ __device__ constexpr int Copies(int bins) {
  return bins * kWarps <= kMostCounters ? kWarps : kMostCounters / bins;
}

// Four elements, which one load fetches.
template <typename T>
struct alignas(4 * sizeof(T)) Four {
  T element[4];
};

// REQUIRES: d_bins holds zeros. Shared memory: bins * Copies(bins) counters, one copy after the other.
template <typename T>
__global__ void histogram_v3(const T* d_in, size_t n, unsigned* d_bins, int bins) {
  extern __shared__ unsigned counts[];
  // TODO(v3) Produce: what v2 produced. One load takes four elements. A warp that holds only one value does one
  //     addition.
  //   Constraint: d_in starts at a multiple of 256 bytes, and n is any number. All lanes that a mask names must
  //     execute the instruction.
  //   Hint: __shfl_sync tells each lane what lane 0 holds, and __all_sync whether all lanes agree. Which warps
  //     may use them? How many elements are left when all packs of four are counted?
  //   Check: ./warpgrade check lab7 v3
}

template <typename T>
void histogram(const T* d_in, size_t n, unsigned* d_bins, int bins, cudaStream_t stream) {
  NOT_WRITTEN_YET();
  // TODO(v3) Produce: zeros in d_bins, then a launch of histogram_v3 on `stream`.
  //   Constraint: as in v2, with shared memory for Copies(bins) copies.
  //   Hint: use the launch of v2.
  //   Check: ./warpgrade check lab7 v3
  const size_t shared_bytes = 0;
  histogram_v3<<<1, kThreads, shared_bytes, stream>>>(d_in, n, d_bins, bins);
}

LAB7_RUNG();
