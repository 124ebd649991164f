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
  // BEGIN SOLUTION
  __shared__ T partial[kThreads];
  const unsigned tid = threadIdx.x;
  const size_t i = size_t(blockIdx.x) * blockDim.x + tid;
  partial[tid] = i < n ? d_in[i] : Op::neutral();  // threads past the end take part too, with nothing to add
  __syncthreads();                                 // every element is in place before a neighbour reads it

  for (unsigned step = 1; step < blockDim.x; step *= 2) {
    if (tid % (2 * step) == 0) partial[tid] = Op()(partial[tid], partial[tid + step]);
    __syncthreads();  // outside the if: all threads of the block must meet here
  }
  if (tid == 0) d_out[blockIdx.x] = partial[0];
  // ELSE STARTER
  //| // TODO(v1): One partial result per block, as a tree in shared memory.
  //| //   Produce:    d_out[blockIdx.x] = Op over this block's kThreads elements of d_in.
  //| //   Constraint: neighbouring threads load neighbouring elements, and no thread loads past n.
  //| //   Hint:       which value can a thread without an element put into shared memory, so that the sum stays right?
  //| //   Check:      ./warpgrade check lab1 v1
  // END SOLUTION
}

template <typename T, typename Op>
void reduce(const T* d_in, size_t n, T* d_out, T* d_work, cudaStream_t stream) {
  // BEGIN SOLUTION
  reduce_in_passes(d_in, n, d_out, d_work, kThreads, [stream](const T* in, size_t count, T* out, unsigned blocks) {
    reduce_v1<T, Op><<<blocks, kThreads, 0, stream>>>(in, count, out);
  });
  // ELSE STARTER
  //| NOT_WRITTEN_YET();  // delete this line, and launch reduce_v1 through reduce_in_passes (labs/lab1/lab1.h)
  // END SOLUTION
}

LAB1_INSTANTIATE();
