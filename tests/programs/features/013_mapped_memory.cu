// Zero copy: a kernel reads and writes host memory through the address that the device has for it.
#include "feature.h"

__global__ void Halve(const int* in, int* out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] = in[i] / 2;
}

int main() {
  constexpr int kCount = 3000;
  int *in = nullptr, *out = nullptr, *d_in = nullptr, *d_out = nullptr;
  CHECK(cudaHostAlloc(&in, kCount * sizeof(int), cudaHostAllocMapped | cudaHostAllocWriteCombined));
  CHECK(cudaHostAlloc(&out, kCount * sizeof(int), cudaHostAllocMapped));
  static int want[kCount];
  for (int i = 0; i < kCount; ++i) {
    const int value = Mix(i) >> 4;
    in[i] = value;
    want[i] = value / 2;
  }
  CHECK(cudaHostGetDevicePointer(&d_in, in, 0));
  CHECK(cudaHostGetDevicePointer(&d_out, out, 0));
  Halve<<<(kCount + 255) / 256, 256>>>(d_in, d_out, kCount);
  FINISH();
  ExpectSame("out", out, want, kCount);
  Out(out, kCount * sizeof(int));
  CHECK(cudaFreeHost(in));
  CHECK(cudaFreeHost(out));
  return Verdict();
}
