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
constexpr unsigned kWarps = kThreads / 32;
constexpr unsigned kAllLanes = 0xffffffffu;

// BEGIN SOLUTION
// The inclusive scan of the 32 lanes' values. REQUIRES: all 32 lanes call it together.
template <typename T>
__device__ T warp_scan(T value) {
  const unsigned lane = threadIdx.x % 32;
#pragma unroll
  for (unsigned distance = 1; distance < 32; distance *= 2) {
    const T before = __shfl_up_sync(kAllLanes, value, distance);
    if (lane >= distance) value = before + value;
  }
  return value;
}

// The sum of the lanes before this one, from the inclusive scan: the value of the lane before it, and 0 for lane 0.
// REQUIRES: all 32 lanes call it together.
template <typename T>
__device__ T one_lane_up(T value) {
  const T before = __shfl_up_sync(kAllLanes, value, 1);
  return threadIdx.x % 32 > 0 ? before : 0;
}

// ELSE STARTER
// END SOLUTION
// Scans the 512 elements of a block, and writes their sum to d_sums[blockIdx.x].
template <typename T>
__global__ void scan_block_v4(const T* d_in, T* d_out, size_t n, ScanKind kind, T* d_sums) {
  // BEGIN SOLUTION
  __shared__ T warp_sum[kWarps];
  __shared__ T before_warp[kWarps];
  const unsigned lane = threadIdx.x % 32, warp = threadIdx.x / 32;
  const size_t i = size_t{blockIdx.x} * kThreads + threadIdx.x;

  const T in_warp = warp_scan<T>(i < n ? d_in[i] : 0);  // lanes past the end take part with a 0
  if (lane == 31) warp_sum[warp] = in_warp;
  __syncthreads();  // the sums of all warps are stored

  if (warp == 0) {  // a whole warp, so that warp_scan finds all its lanes
    const T sums = warp_scan<T>(lane < kWarps ? warp_sum[lane] : 0);
    const T before = one_lane_up(sums);
    if (lane < kWarps) before_warp[lane] = before;
    if (lane == 31) d_sums[blockIdx.x] = sums;
  }
  __syncthreads();  // the sum of everything before each warp is stored

  const T before_lane = one_lane_up(in_warp);
  if (i < n) d_out[i] = before_warp[warp] + (kind == ScanKind::kInclusive ? in_warp : before_lane);
  // ELSE STARTER
  //| // TODO(v4) Produce: what v1 produced, for blocks of 512 elements.
  //| //   Constraint: use __shfl_up_sync within a warp. Shared memory holds a few numbers for each warp. Use two
  //| //     barriers.
  //| //   Hint: write the scan of 32 lanes first. 16 warps then have 16 sums, and a warp can scan those too. Which
  //| //     lanes execute the shuffle, and which lanes does the mask name?
  //| //   Check: ./warpgrade check lab5 v4
  // END SOLUTION
}

template <typename T>
void scan(const T* d_in, T* d_out, size_t n, ScanKind kind, T* d_work, cudaStream_t stream) {
  // BEGIN SOLUTION
  // ELSE STARTER
  //| NOT_WRITTEN_YET();  // delete this line when you start
  // END SOLUTION
  scan_in_levels(d_in, d_out, n, kind, d_work, kThreads, stream,
                 [stream](const T* in, T* out, size_t count, ScanKind k, T* sums, unsigned blocks) {
                   scan_block_v4<<<blocks, kThreads, 0, stream>>>(in, out, count, k, sums);
                 });
}

LAB5_INSTANTIATE();
