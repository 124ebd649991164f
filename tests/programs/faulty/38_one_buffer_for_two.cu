// Meant as double buffering, but the buffers never change: the step's reads meet its own writes.
// expect: shared-race at FAULT with FAULT
#include "program.h"

__global__ void Scan(int* values) {
  __shared__ int buffer[2][128];
  const int t = threadIdx.x;
  int from = 0, to = 0;
  buffer[from][t] = values[t];
  __syncthreads();
#pragma unroll 1
  for (int d = 1; d < 128; d *= 2) {
    buffer[to][t] = buffer[from][t] + (t >= d ? buffer[from][t - d] : 0);  // FAULT
    __syncthreads();
  }
  values[t] = buffer[to][t];
}

int main() {
  DeviceArray<int> values(128);
  values.Fill(0);
  Scan<<<1, 128>>>(values);
  FINISH();
  return 0;
}
