// Barriers that also count: __syncthreads_count, _and and _or over the threads of a block.
#include "feature.h"

__global__ void Count(const int* in, int* out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  const int value = i < n ? in[i] : 1000;
  const int odd = __syncthreads_count(value % 2);
  const int all_small = __syncthreads_and(value < 990);
  const int any_zero = __syncthreads_or(value == 0);
  if (i < n) out[i] = odd * 100 + all_small * 10 + any_zero;
}

int main() {
  constexpr int kThreads = 96, kBlocks = 8, kCount = kThreads * kBlocks - 20;
  int in[kCount], got[kCount], want[kCount];
  for (int i = 0; i < kCount; ++i) in[i] = Mix(i) % 993;
  in[200] = 0;
  for (int i = 0; i < kCount; ++i) {
    int odd = 0, small = 1, zero = 0;
    for (int k = i / kThreads * kThreads; k < i / kThreads * kThreads + kThreads; ++k) {
      const int value = k < kCount ? in[k] : 1000;
      odd += value % 2;
      small &= value < 990;
      zero |= value == 0;
    }
    want[i] = odd * 100 + small * 10 + zero;
  }
  DeviceArray<int> d_in(in, kCount), d_out(kCount);
  Count<<<kBlocks, kThreads>>>(d_in, d_out, kCount);
  FINISH();
  d_out.CopyTo(got);
  ExpectSame("out", got, want, kCount);
  Out(got, sizeof got);
  return Verdict();
}
