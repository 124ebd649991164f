// Lanes of one warp call different functions through a table of pointers.
#include "program.h"

using Operation = int (*)(int);
__device__ __noinline__ int Twice(int v) { return 2 * v; }
__device__ __noinline__ int Square(int v) { return v * v; }
__device__ __noinline__ int Negative(int v) { return -v; }
__device__ Operation operations[3] = {Twice, Square, Negative};

__global__ void Apply(int* values) { values[threadIdx.x] = operations[values[threadIdx.x] % 3](values[threadIdx.x]); }

int main() {
  int host[64], got[64];
  for (int i = 0; i < 64; ++i) host[i] = i * 5;
  DeviceArray<int> values(64);
  values.CopyFrom(host);
  Apply<<<1, 64>>>(values);
  FINISH();
  values.CopyTo(got);
  for (int i = 0; i < 64; ++i) {
    const int v = host[i];
    EXPECT(got[i] == (v % 3 == 0 ? 2 * v : v % 3 == 1 ? v * v : -v));
  }
  PrintOut(got, sizeof got);
  return 0;
}
