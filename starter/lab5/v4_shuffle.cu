// Generated from solutions/lab5/v4_shuffle.cu by `warpgrade make-starter`; yours to edit.
// lab5 v4: warp shuffle.
//
// The weakness of v3: it takes 18 steps through shared memory, with a barrier after each. In most steps most threads
// have nothing to do. Here a warp scans 32 elements in 5 steps in its registers, without a barrier:
//
//   512 elements -> 16 warps: 5 shuffles -> 16 sums -> first warp: 5 shuffles -> what comes before each warp
//
// This is Hillis and Steele's method again. It needs more additions than Blelloch's, but no memory. There is one trap.
// The mask names the lanes that take part, and all of these lanes must execute the shuffle. So the shuffle stands
// outside of `if (lane >= distance)`.
#include "labs/lab5/lab5.h"
#include "labs/lab5/levels.h"

constexpr unsigned kThreads = 512;  // each has one element
[[maybe_unused]] constexpr unsigned kWarps = kThreads / 32;
[[maybe_unused]] constexpr unsigned kAllLanes = 0xffffffffu;

// Scans the 512 elements of a block, and writes their sum to d_sums[blockIdx.x].
template <typename T>
__global__ void scan_block_v4(const T* d_in, T* d_out, size_t n, ScanKind kind, T* d_sums) {
  // TODO(v4) Produce: what v1 produced, for blocks of 512 elements.
  //   Constraint: use __shfl_up_sync within a warp. Shared memory holds a few numbers for each warp. Use two
  //     barriers.
  //   Hint: write the scan of 32 lanes first. 16 warps then have 16 sums, and a warp can scan those too. Which
  //     lanes execute the shuffle, and which lanes does the mask name?
  //   Check: ./warpgrade check lab5 v4
}

template <typename T>
void scan(const T* d_in, T* d_out, size_t n, ScanKind kind, T* d_work, cudaStream_t stream) {
  NOT_WRITTEN_YET();  // delete this line when you start
  scan_in_levels(d_in, d_out, n, kind, d_work, kThreads, stream,
                 [stream](const T* in, T* out, size_t count, ScanKind k, T* sums, unsigned blocks) {
                   scan_block_v4<<<blocks, kThreads, 0, stream>>>(in, out, count, k, sums);
                 });
}

LAB5_INSTANTIATE();
