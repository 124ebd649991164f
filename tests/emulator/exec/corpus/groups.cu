// Warp-wide instructions and cooperative groups.
#include <cooperative_groups.h>
#include <cooperative_groups/memcpy_async.h>
#include <cooperative_groups/reduce.h>
#include <cooperative_groups/scan.h>

#include <cstdint>

namespace cg = cooperative_groups;

extern "C" __global__ void warp_wide(const int* in, long long* out) {
  int lane = threadIdx.x % 32, v = in[threadIdx.x];
  long long w = v * 0x100000001ll;
  long long* o = out + threadIdx.x * 40;
  int k = 0, uniform;
  o[k++] = __shfl_sync(~0u, v, lane + 1), o[k++] = __shfl_up_sync(~0u, v, 3, 16),
  o[k++] = __shfl_down_sync(~0u, v, 5, 8);
  o[k++] = __shfl_xor_sync(~0u, v, 6), o[k++] = __shfl_sync(~0u, w, 5), o[k++] = __shfl_xor_sync(~0u, (double)v, 1);
  o[k++] = __shfl_down_sync(~0u, (float)v, 1), o[k++] = __all_sync(~0u, v > 2), o[k++] = __any_sync(~0u, v > 2);
  o[k++] = __ballot_sync(~0u, v > 2), o[k++] = __uni_sync(~0u, v > 2), o[k++] = __activemask();
  o[k++] = __match_any_sync(~0u, v), o[k++] = __match_any_sync(~0u, w), o[k++] = __match_all_sync(~0u, v, &uniform);
  o[k++] = uniform, o[k++] = __match_all_sync(~0u, w * 0, &uniform), o[k++] = uniform;
#if __CUDA_ARCH__ >= 800
  o[k++] = __reduce_add_sync(~0u, v), o[k++] = __reduce_add_sync(~0u, unsigned(v)), o[k++] = __reduce_min_sync(~0u, v);
  o[k++] = __reduce_min_sync(~0u, unsigned(v)), o[k++] = __reduce_max_sync(~0u, v);
  o[k++] = __reduce_max_sync(~0u, unsigned(v)), o[k++] = __reduce_and_sync(~0u, unsigned(v));
  o[k++] = __reduce_or_sync(~0u, unsigned(v)), o[k++] = __reduce_xor_sync(~0u, unsigned(v));
#endif
#if __CUDA_ARCH__ >= 900
  unsigned leader, elected;
  asm volatile("{.reg .pred p; elect.sync %0|p, 0xffffffff; selp.u32 %1, 1, 0, p;}" : "=r"(leader), "=r"(elected));
  o[k++] = leader, o[k++] = elected;
#endif
  __syncwarp();
  __nanosleep(100);
  o[k++] = __fns(0xF0F0F0F0u, lane, 2);
}

// out: 16 values of each thread; n the block's size.
template <int kSize>
__device__ int Tile(int v, cg::thread_block& block, int* scratch) {
  auto tile = cg::tiled_partition<kSize>(block);
  int r = tile.shfl(v, 0) + tile.shfl_up(v, 1) + tile.shfl_down(v, 1) + tile.shfl_xor(v, kSize / 2);
  r += tile.any(v > 3) + tile.all(v > 0) + tile.meta_group_rank() * 2 + tile.meta_group_size() + tile.num_threads();
  r += cg::reduce(tile, v, cg::plus<int>()) + cg::reduce(tile, v, cg::less<int>()) +
       cg::reduce(tile, v, cg::greater<int>()) + cg::reduce(tile, v, cg::bit_xor<int>());
  r += cg::inclusive_scan(tile, v) + cg::exclusive_scan(tile, v, cg::plus<int>());
  tile.sync();
  if (tile.thread_rank() == 0) scratch[block.thread_rank()] = r;
  return r;
}
extern "C" __global__ void tiles_of_all_sizes(const int* in, int* out) {
  __shared__ int scratch[1024];
  cg::thread_block block = cg::this_thread_block();
  int v = in[block.thread_rank()];
  int* o = out + block.thread_rank() * 8;
  o[0] = Tile<2>(v, block, scratch), o[1] = Tile<4>(v, block, scratch), o[2] = Tile<8>(v, block, scratch);
  o[3] = Tile<16>(v, block, scratch), o[4] = Tile<32>(v, block, scratch);
  cg::coalesced_group active = cg::coalesced_threads();
  o[5] = cg::reduce(active, v, cg::plus<int>());
  auto labeled = cg::labeled_partition(cg::tiled_partition<32>(block), v % 3);
  o[6] = cg::reduce(labeled, v, cg::plus<int>()) + cg::inclusive_scan(labeled, v);
  auto halves = cg::binary_partition(cg::tiled_partition<32>(block), v & 1);
  o[7] = cg::exclusive_scan(halves, v) + static_cast<int>(cg::reduce(halves, 0.5 * v, cg::plus<double>())) +
         static_cast<int>(cg::invoke_one_broadcast(halves, [&] { return v * 0 + 7; }));
  block.sync();
}
template <int kSize>
__device__ int LargeTile(int v, cg::thread_block& block) {
  auto tile = cg::tiled_partition<kSize>(block);
  int r = tile.shfl(v, 40) + tile.any(v == 5) * 1000 + tile.all(v < 1000) * 2000;
  r += cg::reduce(tile, v, cg::plus<int>());
  r += cg::inclusive_scan(tile, v) + cg::exclusive_scan(tile, v);
  tile.sync();
  return r;
}
// With memory that the kernel sets aside for them, and without.
extern "C" __global__ void large_tiles(const int* in, int* out) {
  __shared__ cg::block_tile_memory<256> memory;
  cg::thread_block block = cg::this_thread_block(memory);
  int v = in[block.thread_rank()];
  out[block.thread_rank() * 2] = LargeTile<64>(v, block);
  out[block.thread_rank() * 2 + 1] = LargeTile<128>(v, block);
}
#if __CUDA_ARCH__ >= 800
extern "C" __global__ void large_tiles_of_reserved_memory(const int* in, int* out) {
  cg::thread_block block = cg::this_thread_block();
  int v = in[block.thread_rank()];
  out[block.thread_rank()] = LargeTile<64>(v, block) + LargeTile<256>(v, block);
}
#endif
extern "C" __global__ void group_copy(const int* in, int* out, int n) {
  extern __shared__ int buffer[];
  cg::thread_block block = cg::this_thread_block();
  cg::memcpy_async(block, buffer, in, n * sizeof(int));
  cg::wait(block);
  auto tile = cg::tiled_partition<32>(block);
  cg::memcpy_async(tile, buffer + n, 32, in + 32, 32);
  cg::wait_prior<0>(tile);
  block.sync();
  for (int i = block.thread_rank(); i < n; i += block.size()) out[i] = buffer[i] + buffer[n + i % 32];
}
extern "C" __global__ void block_and_grid(int* out) {
  cg::grid_group grid = cg::this_grid();
  cg::thread_block block = cg::this_thread_block();
  out[grid.thread_rank()] =
      grid.block_rank() + grid.num_blocks() * 100 + block.group_index().x + block.thread_index().y;
  auto token = block.barrier_arrive();
  out[grid.thread_rank()] += 1;
  block.barrier_wait(std::move(token));
  grid.sync();
  auto grid_token = grid.barrier_arrive();
  grid.barrier_wait(std::move(grid_token));
  if (grid.thread_rank() == 0) out[0] += out[grid.size() - 1];
}
extern "C" __global__ void barriers(const int* in, int* out) {
  __shared__ int shared[64];
  int v = in[threadIdx.x];
  int r = __syncthreads_count(v > 3) + 100 * __syncthreads_and(v > 0) + 1000 * __syncthreads_or(v > 50);
  if (threadIdx.x < 32) {
    shared[threadIdx.x] = v;
    asm volatile("bar.arrive 1, 64;");
  } else if (threadIdx.x < 64) {
    asm volatile("bar.sync 1, 64;");
    r += shared[threadIdx.x - 32];
  }
  asm volatile("{.reg .pred p; setp.gt.s32 p, %1, 3; barrier.sync 2; @p add.s32 %0, %0, 1;}" : "+r"(r) : "r"(v));
  out[threadIdx.x] = r;
}
