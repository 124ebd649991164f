// Few blocks that stay, and a queue from which each takes the next item: who does what differs, the result does not.
#include "program.h"

__global__ void Worker(const int* items, int n, int* next, int* done) {
  __shared__ int item;
  while (true) {
    if (threadIdx.x == 0) item = atomicAdd(next, 1);
    __syncthreads();
    const int own = item;
    __syncthreads();
    if (own >= n) return;
    if (threadIdx.x < items[own]) done[own * 64 + threadIdx.x] = own + threadIdx.x;
  }
}

int main() {
  constexpr int kItems = 50;
  static int items[kItems], got[kItems * 64];
  for (int i = 0; i < kItems; ++i) items[i] = (i * 29) % 65;
  DeviceArray<int> d_items(kItems), next(1), done(kItems * 64);
  d_items.CopyFrom(items);
  next.Fill(0);
  done.Fill(0xff);
  Worker<<<4, 64>>>(d_items, kItems, next, done);
  FINISH();
  done.CopyTo(got);
  for (int i = 0; i < kItems * 64; ++i) EXPECT(got[i] == (i % 64 < items[i / 64] ? i / 64 + i % 64 : -1));
  PrintOut(got, sizeof got);
  return 0;
}
