// Generated from solutions/lab1/v4_first_add.cu by `warpgrade make-starter`; yours to edit.
// Lab 1, v4: first add during load.
//
// Weakness of v3: half of the threads never combine anything. They load one element, store it, and wait at barriers.
// Here every thread loads two elements and combines them before it stores to shared memory. So half as many blocks do
// the same work:
//
//   block b:  elements  b * 512 + [ 0 ... 255 | 256 ... 511 ]
//             thread t             t      +      t + 256        -> partial[t]
#include "labs/lab1/lab1.h"

inline constexpr unsigned kThreads = 256;

// Block b writes Op over its 2 * kThreads elements of d_in to d_out[b].
template <typename T, typename Op>
__global__ void reduce_v4(const T* d_in, size_t n, T* d_out) {
  // TODO(v4): Two elements per thread, combined before they reach shared memory.
  //   Produce:    d_out[blockIdx.x] = Op over this block's 2 * kThreads elements of d_in.
  //   Constraint: half the threads of v3 for the same n. Both loads of a warp stay coalesced.
  //   Hint:       two neighbours per thread would not be coalesced. Which of the two loads can be past n?
  //   Check:      ./warpgrade check lab1 v4
}

template <typename T, typename Op>
void reduce(const T* d_in, size_t n, T* d_out, T* d_work, cudaStream_t stream) {
  NOT_WRITTEN_YET();  // delete this line, and launch reduce_v4 through reduce_in_passes (labs/lab1/lab1.h)
}

LAB1_INSTANTIATE();
