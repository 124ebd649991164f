// The kernel is launched after its input was freed.
// expect: use-after-free at FAULT
#include "program.h"

__global__ void Copy(const int* in, int* out) { out[threadIdx.x] = in[threadIdx.x]; }  // FAULT

int main() {
  DeviceArray<int> out(64);
  int* in = nullptr;
  CHECK(cudaMalloc(&in, 64 * sizeof(int)));
  CHECK(cudaMemset(in, 0, 64 * sizeof(int)));
  CHECK(cudaFree(in));
  Copy<<<1, 64>>>(in, out);
  return cudaDeviceSynchronize() == cudaErrorIllegalAddress ? 0 : 1;
}
