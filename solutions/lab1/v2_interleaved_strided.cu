// Lab 1, v2: interleaved addressing with a strided index.
//
// Weakness of v1: divergence. `tid % (2 * step) == 0` picks threads that are spread over all warps. So in the first
// five steps all 8 warps run, with 16, 8, 4, 2 and 1 useful lanes each. Also % is slow. Here the first threads of the
// block work, so that whole warps become idle:
//
//   step 1:  thread 0: 0<-1    1: 2<-3    2: 4<-5    3: 6<-7   ...   index = 2 * step * tid
//   step 2:  thread 0: 0<-2    1: 4<-6    ...
//   step 4:  thread 0: 0<-4    ...
#include "labs/lab1/lab1.h"

inline constexpr unsigned kThreads = 256;

// Block b writes Op over its kThreads elements of d_in to d_out[b].
template <typename T, typename Op>
__global__ void reduce_v2(const T* d_in, size_t n, T* d_out) {
  // BEGIN SOLUTION
  __shared__ T partial[kThreads];
  const unsigned tid = threadIdx.x;
  const size_t i = size_t(blockIdx.x) * blockDim.x + tid;
  partial[tid] = i < n ? d_in[i] : Op::neutral();
  __syncthreads();

  for (unsigned step = 1; step < blockDim.x; step *= 2) {
    const unsigned index = 2 * step * tid;  // thread 0, 1, 2 ... work on pair 0, 1, 2 ...
    if (index < blockDim.x) partial[index] = Op()(partial[index], partial[index + step]);
    __syncthreads();
  }
  if (tid == 0) d_out[blockIdx.x] = partial[0];
  // ELSE STARTER
  //| // TODO(v2): The same tree as v1, but the threads that work are the first ones of the block.
  //| //   Produce:    d_out[blockIdx.x] = Op over this block's kThreads elements of d_in.
  //| //   Constraint: at most one warp of the block diverges in a step, and there is no %.
  //| //   Hint:       number the pairs of a step 0, 1, 2 ...; thread t takes pair t. Where does pair t start?
  //| //   Check:      ./warpgrade check lab1 v2
  // END SOLUTION
}

template <typename T, typename Op>
void reduce(const T* d_in, size_t n, T* d_out, T* d_work, cudaStream_t stream) {
  // BEGIN SOLUTION
  reduce_in_passes(d_in, n, d_out, d_work, kThreads, [stream](const T* in, size_t count, T* out, unsigned blocks) {
    reduce_v2<T, Op><<<blocks, kThreads, 0, stream>>>(in, count, out);
  });
  // ELSE STARTER
  //| NOT_WRITTEN_YET();  // delete this line, and launch reduce_v2 through reduce_in_passes (labs/lab1/lab1.h)
  // END SOLUTION
}

LAB1_INSTANTIATE();
