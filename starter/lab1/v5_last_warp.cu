// Generated from solutions/lab1/v5_last_warp.cu by `warpgrade make-starter`; yours to edit.
// Lab 1, v5: last warp unrolled.
//
// Weakness of v4: unnecessary barriers. From step 32 on only the first warp works, but all 8 warps wait at a
// __syncthreads() after each of the last six steps. Here the other warps are done after step 64. The first warp does
// the last six steps alone, without a loop.
//
// A trap in older lectures: they use no barrier here, because "a warp runs in lockstep", and make the array volatile.
// Since Volta the lanes of a warp may run apart. A lane could read an element before its neighbour has written it, or
// after it was overwritten. __syncwarp() is the barrier of one warp. It is cheap, and you need it.
#include "labs/lab1/lab1.h"

inline constexpr unsigned kThreads = 256;  // at least 64: the last warp starts by reading partial[32 .. 63]

// Block b writes Op over its 2 * kThreads elements of d_in to d_out[b].
template <typename T, typename Op>
__global__ void reduce_v5(const T* d_in, size_t n, T* d_out) {
  // TODO(v5): The last six steps by one warp, without block-wide barriers.
  //   Produce:    d_out[blockIdx.x] = Op over this block's 2 * kThreads elements of d_in.
  //   Constraint: at most 5 __syncthreads() per block, and no races: lanes of a warp may run apart.
  //   Hint:       in one step a lane reads a neighbour's element and writes its own. The lanes need a __syncwarp()
  //               between the two, and another one before the next step.
  //   Check:      ./warpgrade check lab1 v5
}

template <typename T, typename Op>
void reduce(const T* d_in, size_t n, T* d_out, T* d_work, cudaStream_t stream) {
  NOT_WRITTEN_YET();  // delete this line, and launch reduce_v5 through reduce_in_passes (labs/lab1/lab1.h)
}

LAB1_INSTANTIATE();
