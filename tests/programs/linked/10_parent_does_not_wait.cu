// expect: global-race at READ with LAUNCH
// expect: global-race at WRITE with SECOND
// A kernel reads what its child computes, and writes what its child reads. It cannot wait for the child: with CUDA 12 a
// kernel has no cudaDeviceSynchronize() any more.
#include "program.h"

__global__ void Square(const int* in, int* out) { out[threadIdx.x] = in[threadIdx.x] * in[threadIdx.x]; }

__global__ void Reads(int* in, int* out, int* sum) {
  Square<<<1, 32>>>(in, out);  // LAUNCH
  *sum = out[0];               // READ
}

__global__ void Writes(int* in, int* out) {
  Square<<<1, 32>>>(in, out);  // SECOND
  in[5] = 0;                   // WRITE
}

int main() {
  int values[32];
  for (int i = 0; i < 32; ++i) values[i] = i;
  DeviceArray<int> in(values, 32), out(32), sum(1);
  out.Fill(0);
  Reads<<<1, 1>>>(in, out, sum);
  FINISH();
  Writes<<<1, 1>>>(in, out);
  FINISH();
  return 0;
}
