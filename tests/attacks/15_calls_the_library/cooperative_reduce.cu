// Lets cooperative groups reduce a warp.
#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>

#include "labs/lab1/lab1.h"

namespace groups = cooperative_groups;

template <typename T, typename Op>
__global__ void reduce_v3(const T* d_in, size_t n, T* d_out) {
  const auto warp = groups::tiled_partition<32>(groups::this_thread_block());
  const size_t i = size_t(blockIdx.x) * blockDim.x + threadIdx.x;
  const T sum = groups::reduce(warp, i < n ? d_in[i] : Op::neutral(), Op());
  if (threadIdx.x == 0) d_out[blockIdx.x] = sum;
}

template <typename T, typename Op>
void reduce(const T* d_in, size_t n, T* d_out, T* d_work, cudaStream_t stream) {
  reduce_in_passes(d_in, n, d_out, d_work, 32, [stream](const T* in, size_t count, T* out, unsigned blocks) {
    reduce_v3<T, Op><<<blocks, 32, 0, stream>>>(in, count, out);
  });
}

LAB1_INSTANTIATE();
