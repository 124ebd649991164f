// The last block to finish combines what all the others left, so that one launch makes the whole sum.
#include "feature.h"

constexpr int kThreads = 128;
__device__ unsigned finished = 0;

__device__ long long SumOfBlock(long long value, long long* tile) {
  tile[threadIdx.x] = value;
  for (int half = kThreads / 2; half > 0; half /= 2) {
    __syncthreads();
    if (threadIdx.x < half) tile[threadIdx.x] += tile[threadIdx.x + half];
  }
  return tile[0];
}

__global__ void Sum(const int* in, volatile long long* partial, long long* sum, int n) {
  __shared__ long long tile[kThreads];
  __shared__ bool last;
  const int i = blockIdx.x * kThreads + threadIdx.x;
  const long long own = SumOfBlock(i < n ? in[i] : 0, tile);
  if (threadIdx.x == 0) {
    partial[blockIdx.x] = own;
    __threadfence();
    last = atomicAdd(&finished, 1) == gridDim.x - 1;
  }
  __syncthreads();
  if (!last) return;
  __threadfence();
  long long rest = 0;
  for (int b = threadIdx.x; b < gridDim.x; b += kThreads) rest += partial[b];
  const long long total = SumOfBlock(rest, tile);
  if (threadIdx.x == 0) {
    *sum = total;
    finished = 0;  // for the next launch
  }
}

int main() {
  constexpr int kCount = 40001, kBlocks = (kCount + kThreads - 1) / kThreads;
  static int in[kCount];
  long long want = 0, got[2];
  for (int i = 0; i < kCount; ++i) want += in[i] = static_cast<int>(Mix(i));
  DeviceArray<int> d_in(in, kCount);
  DeviceArray<long long> partial(kBlocks), sums(2);
  for (int launch = 0; launch < 2; ++launch) Sum<<<kBlocks, kThreads>>>(d_in, partial, sums + launch, kCount);
  FINISH();
  sums.CopyTo(got);
  Expect(got[0] == want && got[1] == want, "both launches give the sum");
  Out(got, sizeof got);
  return Verdict();
}
