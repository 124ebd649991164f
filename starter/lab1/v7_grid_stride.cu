// Generated from solutions/lab1/v7_grid_stride.cu by `warpgrade make-starter`; yours to edit.
// Lab 1, v7: several elements per thread, by a grid-stride loop.
//
// Weakness of v6: a thread loads only two elements, and then the tree takes eight steps. A block costs its launch, its
// barriers and its idle threads for only 512 elements. Here the grid has just enough blocks to fill the GPU. Every
// thread combines many elements in a register before the tree starts:
//
//   grid of 2 blocks x 4 threads:   | b0 t0..t3 | b1 t0..t3 | b0 t0..t3 | b1 t0..t3 | ...
//                                     <---- stride = 8 ---->
//
// Consecutive threads still read consecutive elements. The grid has at most kMaxBlocks blocks. So the second launch
// needs only one block, for any n.
#include "labs/lab1/lab1.h"

inline constexpr unsigned kThreads = 256;
inline constexpr unsigned kPerThread = 16;  // elements per thread before another block is worth its cost
// An H200 is full with 8 blocks of 256 threads on each of its 132 multiprocessors; more would only wait.
inline constexpr unsigned kMaxBlocks = 8 * 132;

// Block b writes Op over its share of d_in to d_out[b]; the shares of all blocks make up d_in, for any grid size.
template <typename T, typename Op, unsigned kBlockThreads>
__global__ void reduce_v7(const T* d_in, size_t n, T* d_out) {
  // TODO(v7): Many elements per thread, in a register, before the tree of v6.
  //   Produce:    d_out[blockIdx.x] = Op over this block's share of d_in; no element is left out or taken twice.
  //   Constraint: right for any gridDim.x; at least 8 elements per thread once n is large.
  //   Hint:       how far is it from a thread's first element to the next one that no other thread takes?
  //   Check:      ./warpgrade check lab1 v7
}

template <typename T, typename Op>
void reduce(const T* d_in, size_t n, T* d_out, T* d_work, cudaStream_t stream) {
  NOT_WRITTEN_YET();  // delete this line; two launches are enough: n elements -> `blocks` partial results -> one
}

LAB1_INSTANTIATE();
