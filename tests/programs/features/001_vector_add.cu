// The first kernel: one thread adds one pair of elements, and the last block is only partly used.
#include "feature.h"

__global__ void VectorAdd(const float* a, const float* b, float* c, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) c[i] = a[i] + b[i];
}

int main() {
  constexpr int kCount = 50000;
  static float a[kCount], b[kCount], got[kCount], want[kCount];
  for (int i = 0; i < kCount; ++i) {
    a[i] = MixUnit(2 * i);
    b[i] = MixUnit(2 * i + 1);
    want[i] = a[i] + b[i];
  }
  DeviceArray<float> d_a(a, kCount), d_b(b, kCount), d_c(kCount);
  VectorAdd<<<(kCount + 255) / 256, 256>>>(d_a, d_b, d_c, kCount);
  FINISH();
  d_c.CopyTo(got);
  ExpectSame("c", got, want, kCount);
  Out(got, sizeof got);
  return Verdict();
}
