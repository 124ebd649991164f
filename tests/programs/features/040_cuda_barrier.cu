// cuda::barrier: arriving and waiting are two steps, with work between them, and its phases can be used again.
#include <cuda/barrier>

#include "feature.h"

using Barrier = cuda::barrier<cuda::thread_scope_block>;

__global__ void Rotate(const int* in, int* out, int rounds) {
#pragma nv_diag_suppress static_var_with_dynamic_init
  __shared__ Barrier barrier;
  __shared__ int tile[2][128];
  if (threadIdx.x == 0) init(&barrier, blockDim.x);
  __syncthreads();
  const int t = threadIdx.x, n = blockDim.x;
  int value = in[blockIdx.x * n + t];
  for (int round = 0; round < rounds; ++round) {
    tile[round % 2][t] = value;
    Barrier::arrival_token token = barrier.arrive();
    const int own = value * 3 + round;  // independent of the others: done while they arrive
    barrier.wait(std::move(token));
    value = own ^ tile[round % 2][(t + 1) % n];
  }
  barrier.arrive_and_wait();
  out[blockIdx.x * n + t] = value;
}

int main() {
  constexpr int kThreads = 128, kBlocks = 3, kCount = kThreads * kBlocks, kRounds = 9;
  int in[kCount], got[kCount], now[kCount], next[kCount];
  for (int i = 0; i < kCount; ++i) now[i] = in[i] = Mix(i) % 1000;
  for (int round = 0; round < kRounds; ++round) {
    for (int i = 0; i < kCount; ++i) {
      const int neighbour = i / kThreads * kThreads + (i % kThreads + 1) % kThreads;
      next[i] = static_cast<int>(static_cast<unsigned>(now[i]) * 3 + round) ^ now[neighbour];
    }
    std::memcpy(now, next, sizeof now);
  }
  DeviceArray<int> d_in(in, kCount), d_out(kCount);
  Rotate<<<kBlocks, kThreads>>>(d_in, d_out, kRounds);
  FINISH();
  d_out.CopyTo(got);
  ExpectSame("out", got, now, kCount);
  Out(got, sizeof got);
  return Verdict();
}
