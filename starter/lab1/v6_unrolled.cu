// Generated from solutions/lab1/v6_unrolled.cu by `warpgrade make-starter`; yours to edit.
// Lab 1, v6: fully unrolled by template.
//
// Weakness of v5: it still has a loop. The compiler does not know blockDim.x, so each step costs a comparison, a shift
// and a jump beside the one useful addition. Here the block size is a template parameter. The compiler decides every
// `if constexpr`, and only the steps themselves remain.
#include "labs/lab1/lab1.h"

inline constexpr unsigned kThreads = 256;

// Block b writes Op over its 2 * kBlockThreads elements of d_in to d_out[b].
// REQUIRES: kBlockThreads is blockDim.x: 64, 128, 256, 512 or 1024.
template <typename T, typename Op, unsigned kBlockThreads>
__global__ void reduce_v6(const T* d_in, size_t n, T* d_out) {
  // TODO(v6): v5 without any loop.
  //   Produce:    d_out[blockIdx.x] = Op over this block's 2 * kBlockThreads elements of d_in.
  //   Constraint: no branches except those that choose the working threads. Right for each block size named above.
  //   Hint:       `if constexpr (kBlockThreads >= 512)` costs nothing at run time. The barrier stays.
  //   Check:      ./warpgrade check lab1 v6
}

template <typename T, typename Op>
void reduce(const T* d_in, size_t n, T* d_out, T* d_work, cudaStream_t stream) {
  NOT_WRITTEN_YET();  // delete this line, and launch reduce_v6 through reduce_in_passes (labs/lab1/lab1.h)
}

LAB1_INSTANTIATE();
