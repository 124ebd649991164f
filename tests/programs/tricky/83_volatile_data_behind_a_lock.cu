// Volatile data in order: behind a lock with both fences, and handed from warp to warp and from block to block by
// atomic flags.
#include "program.h"

__device__ int lock = 0, flag = 0;

__global__ void Locked(volatile int* sum) {
  if (threadIdx.x > 0) return;
  while (atomicCAS(&lock, 0, 1) != 0) {
  }
  __threadfence();
  *sum = *sum + 1;
  __threadfence();
  atomicExch(&lock, 0);
}

__global__ void HandedOn(volatile int* data, int* out) {
  if (threadIdx.x % 32 != 0) return;
  const int step = blockIdx.x * 2 + threadIdx.x / 32;
  while (atomicAdd(&flag, 0) != step) {
  }
  const int value = data[0] + 2;
  data[0] = value;
  if (step == 0 || step == 2) {
    __threadfence_block();
  } else {
    __threadfence();
  }
  atomicExch(&flag, step + 1);
  if (step == 3) *out = value;
}

__global__ void HandedOnByAtomics(int* data, int* out) {
  if (threadIdx.x % 32 != 0) return;
  const int step = blockIdx.x * 2 + threadIdx.x / 32;
  while (atomicAdd(&flag, 0) != step) {
  }
  if (step % 2 == 0) {
    atomicExch_block(data, step);
    __threadfence_block();
  } else {
    atomicExch(data, step);
    __threadfence();
  }
  atomicExch(&flag, step + 1);
  if (step == 3) *out = atomicAdd(data, 0);
}

int main() {
  int got[3], zero = 0;
  DeviceArray<int> sum(1), data(1), out(1);
  sum.Fill(0);
  data.Fill(0);
  Locked<<<12, 32>>>(sum);
  HandedOn<<<2, 64>>>(data, out);
  FINISH();
  out.CopyTo(&got[2]);
  CHECK(cudaMemcpyToSymbol(flag, &zero, sizeof zero));
  HandedOnByAtomics<<<2, 64>>>(data, out);
  FINISH();
  sum.CopyTo(&got[0]);
  out.CopyTo(&got[1]);
  EXPECT(got[0] == 12 && got[1] == 3 && got[2] == 8);
  PrintOut(got, sizeof got);
  return 0;
}
