// saxpy with a grid-stride loop: a few blocks go over any number of elements, each step a fused multiply-add.
#include "feature.h"

__global__ void Saxpy(float a, const float* x, float* y, int n) {
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
    y[i] = __fmaf_rn(a, x[i], y[i]);
}

int main() {
  constexpr int kCount = 12345;
  static float x[kCount], y[kCount], want[kCount];
  const float a = 1.7f;
  for (int i = 0; i < kCount; ++i) {
    x[i] = MixUnit(i);
    y[i] = MixUnit(i + kCount) * 10;
    want[i] = std::fma(a, x[i], y[i]);
  }
  DeviceArray<float> d_x(x, kCount), d_y(y, kCount);
  Saxpy<<<6, 256>>>(a, d_x, d_y, kCount);
  FINISH();
  d_y.CopyTo(y);
  ExpectSame("y", y, want, kCount);
  Out(y, sizeof y);
  return Verdict();
}
