// Generated from solutions/lab1/v1_interleaved_modulo.cu by `warpgrade make-starter`; yours to edit.
// Lab 1, v1: interleaved addressing with modulo. Most people write this parallel reduction first.
//
// Why: one thread needs n steps to add n elements. Here a block of 256 threads adds its elements in log2(256) = 8
// steps, as a tree in shared memory:
//
//   step 1:  0<-1   2<-3   4<-5   6<-7 ...     thread tid works when tid % 2 == 0
//   step 2:  0<-----2      4<-----6    ...                      when tid % 4 == 0
//   step 4:  0<------------4           ...                      when tid % 8 == 0
#include "labs/lab1/lab1.h"

inline constexpr unsigned kThreads = 256;

// Block b writes Op over its kThreads elements of d_in to d_out[b].
template <typename T, typename Op>
__global__ void reduce_v1(const T* d_in, size_t n, T* d_out) {
  // TODO(v1): One partial result per block, as a tree in shared memory.
  //   Produce:    d_out[blockIdx.x] = Op over this block's kThreads elements of d_in.
  //   Constraint: neighbouring threads load neighbouring elements, and no thread loads past n.
  //   Hint:       which value can a thread without an element put into shared memory, so that the sum stays right?
  //   Check:      ./warpgrade check lab1 v1
}

template <typename T, typename Op>
void reduce(const T* d_in, size_t n, T* d_out, T* d_work, cudaStream_t stream) {
  NOT_WRITTEN_YET();  // delete this line, and launch reduce_v1 through reduce_in_passes (labs/lab1/lab1.h)
}

LAB1_INSTANTIATE();
