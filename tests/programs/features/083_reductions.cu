// One sum in five styles: interleaved, sequential, by shuffles, by atomics, and by cooperative groups.
#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>

#include "feature.h"
namespace cg = cooperative_groups;

constexpr int kThreads = 128;
using Sum = unsigned long long;

__device__ unsigned Load(const unsigned* in, int n) {
  const int i = blockIdx.x * kThreads + threadIdx.x;
  return i < n ? in[i] : 0;
}

__global__ void Interleaved(const unsigned* in, Sum* sum, int n) {
  __shared__ Sum tile[kThreads];
  tile[threadIdx.x] = Load(in, n);
  for (int step = 1; step < kThreads; step *= 2) {
    __syncthreads();
    if (threadIdx.x % (2 * step) == 0) tile[threadIdx.x] += tile[threadIdx.x + step];
  }
  if (threadIdx.x == 0) atomicAdd(sum, tile[0]);
}

__global__ void Sequential(const unsigned* in, Sum* sum, int n) {
  __shared__ Sum tile[kThreads];
  tile[threadIdx.x] = Load(in, n);
  for (int half = kThreads / 2; half > 0; half /= 2) {
    __syncthreads();
    if (threadIdx.x < half) tile[threadIdx.x] += tile[threadIdx.x + half];
  }
  if (threadIdx.x == 0) atomicAdd(sum, tile[0]);
}

__global__ void Shuffled(const unsigned* in, Sum* sum, int n) {
  __shared__ Sum warps[kThreads / 32];
  Sum value = Load(in, n);
  for (int step = 16; step > 0; step /= 2) value += __shfl_down_sync(0xffffffff, value, step);
  if (threadIdx.x % 32 == 0) warps[threadIdx.x / 32] = value;
  __syncthreads();
  if (threadIdx.x == 0) atomicAdd(sum, warps[0] + warps[1] + warps[2] + warps[3]);
}

__global__ void Atomic(const unsigned* in, Sum* sum, int n) {
  __shared__ Sum block_sum;
  if (threadIdx.x == 0) block_sum = 0;
  __syncthreads();
  atomicAdd(&block_sum, static_cast<Sum>(Load(in, n)));
  __syncthreads();
  if (threadIdx.x == 0) atomicAdd(sum, block_sum);
}

__global__ void Grouped(const unsigned* in, Sum* sum, int n) {
  const auto warp = cg::tiled_partition<32>(cg::this_thread_block());
  const Sum total = cg::reduce(warp, static_cast<Sum>(Load(in, n)), cg::plus<Sum>());
  if (warp.thread_rank() == 0) atomicAdd(sum, total);
}

int main() {
  constexpr int kCount = 30001;
  static unsigned in[kCount];
  Sum want = 0, got[5];
  for (int i = 0; i < kCount; ++i) want += in[i] = Mix(i);
  DeviceArray<unsigned> d_in(in, kCount);
  DeviceArray<Sum> sums(5);
  sums.Fill(0);
  void (*const kernels[5])(const unsigned*, Sum*, int) = {Interleaved, Sequential, Shuffled, Atomic, Grouped};
  for (int k = 0; k < 5; ++k) kernels[k]<<<(kCount + kThreads - 1) / kThreads, kThreads>>>(d_in, sums + k, kCount);
  FINISH();
  sums.CopyTo(got);
  for (Sum sum : got) Expect(sum == want, "a sum");
  Out(got, sizeof got);
  return Verdict();
}
