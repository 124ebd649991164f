// An inclusive scan in three kernels: blocks scan their parts, one block scans the totals, all add what came before.
#include "feature.h"

constexpr int kThreads = 256;

__device__ int ScanBlock(int value, int* totals) {
  const int lane = threadIdx.x % 32, warp = threadIdx.x / 32;
  for (int step = 1; step < 32; step *= 2) {
    const int before = __shfl_up_sync(0xffffffff, value, step);
    if (lane >= step) value += before;
  }
  if (lane == 31) totals[warp] = value;
  __syncthreads();
  if (warp == 0) {
    int total = lane < kThreads / 32 ? totals[lane] : 0;
    for (int step = 1; step < 32; step *= 2) {
      const int before = __shfl_up_sync(0xffffffff, total, step);
      if (lane >= step) total += before;
    }
    if (lane < kThreads / 32) totals[lane] = total;
  }
  __syncthreads();
  return warp > 0 ? value + totals[warp - 1] : value;
}

__global__ void ScanParts(const int* in, int* out, int* block_totals, int n) {
  __shared__ int totals[kThreads / 32];
  const int i = blockIdx.x * kThreads + threadIdx.x;
  const int sum = ScanBlock(i < n ? in[i] : 0, totals);
  if (i < n) out[i] = sum;
  if (threadIdx.x == kThreads - 1) block_totals[blockIdx.x] = sum;
}

__global__ void ScanTotals(int* block_totals, int blocks) {
  __shared__ int totals[kThreads / 32];
  const int sum = ScanBlock(threadIdx.x < blocks ? block_totals[threadIdx.x] : 0, totals);
  if (threadIdx.x < blocks) block_totals[threadIdx.x] = sum;
}

__global__ void AddBefore(int* out, const int* block_totals, int n) {
  const int i = blockIdx.x * kThreads + threadIdx.x;
  if (blockIdx.x > 0 && i < n) out[i] += block_totals[blockIdx.x - 1];
}

int main() {
  constexpr int kCount = 20011, kBlocks = (kCount + kThreads - 1) / kThreads;
  static int in[kCount], got[kCount], want[kCount];
  int sum = 0;
  for (int i = 0; i < kCount; ++i) {
    in[i] = static_cast<int>(Mix(i) % 2001) - 1000;
    want[i] = sum += in[i];
  }
  DeviceArray<int> d_in(in, kCount), d_out(kCount), totals(kBlocks);
  ScanParts<<<kBlocks, kThreads>>>(d_in, d_out, totals, kCount);
  ScanTotals<<<1, kThreads>>>(totals, kBlocks);
  AddBefore<<<kBlocks, kThreads>>>(d_out, totals, kCount);
  FINISH();
  d_out.CopyTo(got);
  ExpectSame("out", got, want, kCount);
  Out(got, sizeof got);
  return Verdict();
}
