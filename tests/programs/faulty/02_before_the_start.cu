// A stencil whose first thread reads its left neighbour, which is not there.
// expect: out-of-bounds at FAULT
#include "program.h"

__global__ void Difference(const int* in, int* out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  const int left = in[i - 1];  // FAULT
  out[i] = in[i] - left;
}

int main() {
  constexpr int kCount = 512;
  DeviceArray<int> in(kCount), out(kCount);
  in.Fill(3);
  Difference<<<kCount / 128, 128>>>(in, out, kCount);
  return cudaDeviceSynchronize() == cudaErrorIllegalAddress ? 0 : 1;
}
