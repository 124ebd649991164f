// Generated from solutions/lab1/v8_shuffle.cu by `warpgrade make-starter`; yours to edit.
// Lab 1, v8: warp shuffle.
//
// Weakness of v7: the tree is in shared memory, so each step needs a store, a barrier and a load. Here lanes hand their
// registers to each other directly. Shared memory only carries one value per warp to the first warp:
//
//   8 warps:   32 lanes -> 5 shuffles -> 1 value each -> shared memory -> first warp: 5 shuffles -> 1 value
//
//   offset 16:  lane 0 <- 16, 1 <- 17 ... 15 <- 31      then offset 8, 4, 2, 1: lane 0 holds the result
//
// A trap in older lectures: a mask that leaves out lanes, or a shuffle inside `if (lane < offset)`. Every lane that the
// mask names must execute the shuffle, and every lane that executes it must be named. Let all 32 lanes execute it, and
// name all 32.
#include "labs/lab1/lab1.h"

inline constexpr unsigned kThreads = 256;   // at most 1024: the first warp has one lane for each warp's value
inline constexpr unsigned kPerThread = 16;  // elements per thread before another block is worth its cost
// An H200 is full with 8 blocks of 256 threads on each of its 132 multiprocessors; more would only wait.
inline constexpr unsigned kMaxBlocks = 8 * 132;

// Block b writes Op over its share of d_in to d_out[b]; the shares of all blocks make up d_in, for any grid size.
template <typename T, typename Op>
__global__ void reduce_v8(const T* d_in, size_t n, T* d_out) {
  // TODO(v8): v7 with the tree in registers.
  //   Produce:    d_out[blockIdx.x] = Op over this block's share of d_in.
  //   Constraint: shared memory holds one value per warp and no more; __shfl_down_sync does the rest.
  //   Hint:       write warp_reduce first. Then 8 warps have 8 values. Which warp reduces those, and with what
  //               mask?
  //   Check:      ./warpgrade check lab1 v8
}

template <typename T, typename Op>
void reduce(const T* d_in, size_t n, T* d_out, T* d_work, cudaStream_t stream) {
  NOT_WRITTEN_YET();  // delete this line; two launches are enough, as in v7
}

LAB1_INSTANTIATE();
