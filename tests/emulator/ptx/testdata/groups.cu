// Cooperative groups and cuda::barrier: deep inlining, long chains of .loc.
#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>

#include <cuda/barrier>

namespace cg = cooperative_groups;

__global__ void Groups(int* out, const int* in) {
#pragma nv_diag_suppress static_var_with_dynamic_init
  __shared__ cuda::barrier<cuda::thread_scope_block> s_barrier;
  __shared__ int s_values[256];
  cg::thread_block block = cg::this_thread_block();
  if (block.thread_rank() == 0) init(&s_barrier, block.size());
  block.sync();
  cuda::memcpy_async(block, s_values, in, sizeof s_values, s_barrier);
  s_barrier.arrive_and_wait();
  auto tile = cg::tiled_partition<16>(block);
  out[block.thread_rank()] = cg::reduce(tile, s_values[threadIdx.x], cg::plus<int>());
  cg::this_grid().sync();
}
