// One thread of each block takes the lock for all of it; barriers carry the order to the other threads.
#include "program.h"

__global__ void AddRow(int* row, int* lock) {
  if (threadIdx.x == 0) {
    while (atomicCAS(lock, 0, 1) != 0) {
    }
    __threadfence();
  }
  __syncthreads();
  row[threadIdx.x] += blockIdx.x + threadIdx.x;
  __syncthreads();
  if (threadIdx.x == 0) {
    __threadfence();
    atomicExch(lock, 0);
  }
}

int main() {
  constexpr int kBlocks = 10, kWidth = 96;
  DeviceArray<int> row(kWidth), lock(1);
  row.Fill(0);
  lock.Fill(0);
  AddRow<<<kBlocks, kWidth>>>(row, lock);
  FINISH();
  int got[kWidth];
  row.CopyTo(got);
  for (int i = 0; i < kWidth; ++i) EXPECT(got[i] == kBlocks * (kBlocks - 1) / 2 + kBlocks * i);
  PrintOut(got, sizeof got);
  return 0;
}
