// Lab 1, v3: sequential addressing.
//
// Weakness of v2: bank conflicts. Neighbouring lanes use elements that are 2 * step apart. With step = 1, two lanes
// need the same bank of shared memory. With a larger step more lanes do. A bank serves them one after the other. Here
// neighbouring lanes use neighbouring elements, each in its own bank. The distance in a pair shrinks instead of
// growing:
//
//   step 128:  0<-128  1<-129  2<-130 ... 127<-255
//   step  64:  0<-64   1<-65   ...  63<-127
//   step   1:  0<-1
#include "labs/lab1/lab1.h"

inline constexpr unsigned kThreads = 256;

// Block b writes Op over its kThreads elements of d_in to d_out[b].
template <typename T, typename Op>
__global__ void reduce_v3(const T* d_in, size_t n, T* d_out) {
  // BEGIN SOLUTION
  __shared__ T partial[kThreads];
  const unsigned tid = threadIdx.x;
  const size_t i = size_t(blockIdx.x) * blockDim.x + tid;
  partial[tid] = i < n ? d_in[i] : Op::neutral();
  __syncthreads();

  for (unsigned step = blockDim.x / 2; step > 0; step /= 2) {
    if (tid < step) partial[tid] = Op()(partial[tid], partial[tid + step]);
    __syncthreads();
  }
  if (tid == 0) d_out[blockIdx.x] = partial[0];
  // ELSE STARTER
  //| // TODO(v3): The tree without bank conflicts.
  //| //   Produce:    d_out[blockIdx.x] = Op over this block's kThreads elements of d_in.
  //| //   Constraint: no shared memory request of a warp takes more than one turn for float.
  //| //   Hint:       you may choose which two elements a thread combines. Neighbouring lanes should use elements
  //| //               that are neighbours too.
  //| //   Check:      ./warpgrade check lab1 v3
  // END SOLUTION
}

template <typename T, typename Op>
void reduce(const T* d_in, size_t n, T* d_out, T* d_work, cudaStream_t stream) {
  // BEGIN SOLUTION
  reduce_in_passes(d_in, n, d_out, d_work, kThreads, [stream](const T* in, size_t count, T* out, unsigned blocks) {
    reduce_v3<T, Op><<<blocks, kThreads, 0, stream>>>(in, count, out);
  });
  // ELSE STARTER
  //| NOT_WRITTEN_YET();  // delete this line, and launch reduce_v3 through reduce_in_passes (labs/lab1/lab1.h)
  // END SOLUTION
}

LAB1_INSTANTIATE();
