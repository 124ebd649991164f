// An optional output that was not asked for is written all the same.
// expect: out-of-bounds at FAULT
#include "program.h"

__global__ void Square(const int* in, int* out, int* overflowed, int n) {
  const int i = threadIdx.x;
  if (i >= n) return;
  out[i] = in[i] * in[i];
  if (in[i] > 46340) *overflowed = 1;  // FAULT
}

int main() {
  constexpr int kCount = 32;
  DeviceArray<int> in(kCount), out(kCount);
  in.Fill(0x11);
  Square<<<1, kCount>>>(in, out, nullptr, kCount);
  return cudaDeviceSynchronize() == cudaErrorIllegalAddress ? 0 : 1;
}
