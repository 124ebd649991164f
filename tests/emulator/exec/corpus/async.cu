// Asynchronous copies: cp.async with its groups, cuda::memcpy_async, cuda::barrier, cuda::pipeline.
#include <cooperative_groups.h>
#include <cuda_awbarrier_primitives.h>
#include <cuda_pipeline.h>

#include <cuda/barrier>
#include <cuda/pipeline>

namespace cg = cooperative_groups;

extern "C" __global__ void primitives(const int* in, int* out) {
  __shared__ alignas(16) int buffer[2][256];
  int t = threadIdx.x;
  __pipeline_memcpy_async(&buffer[0][t], in + t, 4);
  __pipeline_commit();
  if (t < 64) __pipeline_memcpy_async(&buffer[1][4 * t], in + 256 + 4 * t, 16);
  __pipeline_commit();
  __pipeline_wait_prior(1);
  __syncthreads();
  int first = buffer[0][255 - t];
  __pipeline_wait_prior(0);
  __syncthreads();
  out[t] = first + buffer[1][255 - t] * 1000;
  __syncthreads();
  if (t < 128) __pipeline_memcpy_async(&buffer[0][2 * t], in + 2 * t, 8, 4);  // 4 bytes of zeros
  __pipeline_commit();
  __pipeline_wait_prior(0);
  __syncthreads();
  out[256 + t] = buffer[0][t];
}
extern "C" __global__ void block_barrier(const int* in, int* out, int n) {
  using Barrier = cuda::barrier<cuda::thread_scope_block>;
  __shared__ Barrier barrier;
  __shared__ alignas(16) int buffer[512];
  auto block = cg::this_thread_block();
  if (block.thread_rank() == 0) init(&barrier, block.size());
  block.sync();
  int total = 0;
  for (int i = 0; i < n; i += 256) {
    cuda::memcpy_async(block, buffer, in + i, cuda::aligned_size_t<16>(256 * sizeof(int)), barrier);
    barrier.arrive_and_wait();
    total += buffer[255 - threadIdx.x];
    Barrier::arrival_token token = barrier.arrive();
    total += 1;
    barrier.wait(std::move(token));
  }
  cuda::memcpy_async(&buffer[threadIdx.x], &in[threadIdx.x], sizeof(int), barrier);
  barrier.arrive_and_wait();
  if (threadIdx.x == 255) barrier.arrive_and_drop();
  out[threadIdx.x] = total + buffer[threadIdx.x ^ 1];
}
extern "C" __global__ void pipelined(const int* in, int* out, int batches) {
  constexpr int kStages = 2;
  __shared__ cuda::pipeline_shared_state<cuda::thread_scope_block, kStages> state;
  __shared__ alignas(16) int buffer[kStages][256];
  auto block = cg::this_thread_block();
  auto pipeline = cuda::make_pipeline(block, &state);
  int total = 0;
  for (int fetched = 0, b = 0; b < batches; ++b) {
    for (; fetched < batches && fetched < b + kStages; ++fetched) {
      pipeline.producer_acquire();
      cuda::memcpy_async(block, buffer[fetched % kStages], in + fetched * 256, cuda::aligned_size_t<16>(1024),
                         pipeline);
      pipeline.producer_commit();
    }
    pipeline.consumer_wait();
    block.sync();
    total += buffer[b % kStages][255 - threadIdx.x];
    pipeline.consumer_release();
  }
  out[threadIdx.x] = total;
}
extern "C" __global__ void thread_pipeline(const int* in, int* out) {
  __shared__ alignas(16) int buffer[256];
  auto pipeline = cuda::make_pipeline();
  pipeline.producer_acquire();
  cuda::memcpy_async(&buffer[threadIdx.x], in + threadIdx.x, sizeof(int), pipeline);
  pipeline.producer_commit();
  pipeline.consumer_wait();
  out[threadIdx.x] = buffer[threadIdx.x] + 1;
  pipeline.consumer_release();
}
extern "C" __global__ void specialised(const int* in, int* out, int batches) {
  __shared__ cuda::pipeline_shared_state<cuda::thread_scope_block, 2> state;
  __shared__ alignas(16) int buffer[2][64];
  auto block = cg::this_thread_block();
  cuda::pipeline_role role = block.thread_rank() < 64 ? cuda::pipeline_role::producer : cuda::pipeline_role::consumer;
  auto pipeline = cuda::make_pipeline(block, &state, role);
  int total = 0;
  for (int b = 0; b < batches; ++b) {
    if (role == cuda::pipeline_role::producer) {
      pipeline.producer_acquire();
      cuda::memcpy_async(&buffer[b % 2][threadIdx.x], in + b * 64 + threadIdx.x, sizeof(int), pipeline);
      pipeline.producer_commit();
    } else {
      pipeline.consumer_wait();
      total += buffer[b % 2][127 - threadIdx.x];
      pipeline.consumer_release();
    }
  }
  if (role == cuda::pipeline_role::consumer) out[threadIdx.x - 64] = total;
}
extern "C" __global__ void awbarrier(const int* in, int* out) {
  __shared__ __mbarrier_t barrier;
  __shared__ int buffer[64];
  if (threadIdx.x == 0) __mbarrier_init(&barrier, blockDim.x);
  __syncthreads();
  buffer[threadIdx.x] = in[threadIdx.x];
  __mbarrier_token_t token = __mbarrier_arrive(&barrier);
  while (!__mbarrier_test_wait(&barrier, token)) {
  }
  out[threadIdx.x] = buffer[63 - threadIdx.x] + __mbarrier_token_pending_count(token);
  __syncthreads();
  if (threadIdx.x == 0) __mbarrier_inval(&barrier);
}
#if __CUDA_ARCH__ >= 900
extern "C" __global__ void bulk(const int* in, int* out) {
  __shared__ alignas(16) int buffer[256];
  __shared__ cuda::barrier<cuda::thread_scope_block> barrier;
  if (threadIdx.x == 0) init(&barrier, blockDim.x);
  cuda::ptx::fence_proxy_async(cuda::ptx::space_shared);
  __syncthreads();
  cuda::barrier<cuda::thread_scope_block>::arrival_token token;
  if (threadIdx.x == 0) {
    cuda::device::memcpy_async_tx(buffer, in, cuda::aligned_size_t<16>(sizeof(buffer)), barrier);
    token = cuda::device::barrier_arrive_tx(barrier, 1, sizeof(buffer));
  } else {
    token = barrier.arrive();
  }
  barrier.wait(std::move(token));
  buffer[threadIdx.x] += 1;
  cuda::ptx::fence_proxy_async(cuda::ptx::space_shared);
  __syncthreads();
  if (threadIdx.x == 0) {
    cuda::ptx::cp_async_bulk(cuda::ptx::space_global, cuda::ptx::space_shared, out, buffer, sizeof(buffer));
    cuda::ptx::cp_async_bulk_commit_group();
    cuda::ptx::cp_async_bulk_wait_group(cuda::ptx::n32_t<0>());
  }
}
#endif
