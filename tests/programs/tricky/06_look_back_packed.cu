// Decoupled look-back with status and value in one 64-bit word, which is written and read whole: no fence is needed.
#include "program.h"

constexpr unsigned long long kAggregate = 1ull << 32, kPrefix = 2ull << 32;

__global__ void Prefix(const int* in, int* out, volatile unsigned long long* state, int* next) {
  __shared__ int block, before;
  if (threadIdx.x == 0) block = atomicAdd(next, 1);
  __syncthreads();
  if (threadIdx.x == 0) {
    const unsigned own = in[block];
    state[block] = (block == 0 ? kPrefix : kAggregate) | own;
    unsigned sum = 0;
    for (int b = block - 1; b >= 0; --b) {
      unsigned long long word = 0;
      while ((word = state[b]) == 0) {
      }
      sum += static_cast<unsigned>(word);
      if (word >= kPrefix) break;
    }
    if (block > 0) state[block] = kPrefix | (sum + own);
    before = sum;
  }
  __syncthreads();
  out[block * blockDim.x + threadIdx.x] = before + threadIdx.x;
}

int main() {
  constexpr int kBlocks = 30;
  int host[kBlocks];
  for (int i = 0; i < kBlocks; ++i) host[i] = 3 * i + 1;
  static int got[kBlocks * 32];
  DeviceArray<int> in(kBlocks), out(kBlocks * 32), next(1);
  DeviceArray<unsigned long long> state(kBlocks);
  in.CopyFrom(host);
  state.Fill(0);
  next.Fill(0);
  Prefix<<<kBlocks, 32>>>(in, out, state, next);
  FINISH();
  out.CopyTo(got);
  for (int b = 0, sum = 0; b < kBlocks; sum += host[b++]) {
    for (int t = 0; t < 32; ++t) EXPECT(got[b * 32 + t] == sum + t);
  }
  PrintOut(got, sizeof got);
  return 0;
}
