// Look-back with the value in one array and its flag in another: a fence on each side of the flag.
#include "program.h"

__global__ void Chain(const int* in, int* prefix, volatile int* ready, int* next) {
  if (threadIdx.x > 0) return;
  const int b = atomicAdd(next, 1);
  int before = 0;
  if (b > 0) {
    while (ready[b - 1] == 0) {
    }
    __threadfence();
    before = prefix[b - 1];
  }
  prefix[b] = before + in[b];
  __threadfence();
  ready[b] = 1;
}

int main() {
  constexpr int kBlocks = 40;
  int host[kBlocks], got[kBlocks];
  for (int i = 0; i < kBlocks; ++i) host[i] = i * i;
  DeviceArray<int> in(kBlocks), prefix(kBlocks), ready(kBlocks), next(1);
  in.CopyFrom(host);
  ready.Fill(0);
  next.Fill(0);
  Chain<<<kBlocks, 32>>>(in, prefix, ready, next);
  FINISH();
  prefix.CopyTo(got);
  for (int i = 0, sum = 0; i < kBlocks; ++i) EXPECT(got[i] == (sum += host[i]));
  PrintOut(got, sizeof got);
  return 0;
}
