// One lane does what only one may do, and a shuffle gives its result to the warp.
#include "program.h"

__global__ void Reserve(int* next, int* slots) {
  const int lane = threadIdx.x % 32;
  int base = 0;
  if (lane == 0) base = atomicAdd(next, 32);
  base = __shfl_sync(0xffffffff, base, 0);
  slots[base + lane] = lane;
}

int main() {
  constexpr int kCount = 6 * 96;
  static int got[kCount];
  DeviceArray<int> next(1), slots(kCount);
  next.Fill(0);
  Reserve<<<6, 96>>>(next, slots);
  FINISH();
  slots.CopyTo(got);
  for (int i = 0; i < kCount; ++i) EXPECT(got[i] == i % 32);
  PrintOut(got, sizeof got);
  return 0;
}
