// flags: -use_fast_math
// -use_fast_math: divisions, roots, sines and exponentials become the hardware's approximations, subnormals zero.
#include "feature.h"

constexpr int kFunctions = 8;

__host__ __device__ void Row(float* row, float x) {
  row[0] = sinf(x);
  row[1] = cosf(x);
  row[2] = expf(x);
  row[3] = logf(x + 4);
  row[4] = powf(x + 4, 1.5f);
  row[5] = x / (x * x + 1);
  row[6] = sqrtf(x + 4) + rsqrtf(x + 4);
  row[7] = tanhf(x);
}

__global__ void Functions(const float* x, float* out, float* subnormal, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) Row(out + kFunctions * i, x[i]);
  if (i == 0) *subnormal = *subnormal * 0.5f;
}

int main() {
  constexpr int kCount = 256;
  static float x[kCount], got[kCount * kFunctions];
  static double want[kCount * kFunctions];
  for (int i = 0; i < kCount; ++i) {
    x[i] = (MixUnit(i) - 0.5f) * 6;
    const double d = x[i];
    const double row[kFunctions] = {std::sin(d),
                                    std::cos(d),
                                    std::exp(d),
                                    std::log(d + 4),
                                    std::pow(d + 4, 1.5),
                                    d / (d * d + 1),
                                    std::sqrt(d + 4) + 1 / std::sqrt(d + 4),
                                    std::tanh(d)};
    std::memcpy(want + kFunctions * i, row, sizeof row);
  }
  float subnormal = 1.5e-38f;  // its half is subnormal
  DeviceArray<float> d_x(x, kCount), d_out(kCount * kFunctions), d_subnormal(&subnormal, 1);
  Functions<<<2, 128>>>(d_x, d_out, d_subnormal, kCount);
  FINISH();
  d_out.CopyTo(got);
  d_subnormal.CopyTo(&subnormal);
  ExpectNear("functions", got, want, kCount * kFunctions, 1e-5);
  Expect(subnormal == 0, "a subnormal product is flushed to zero");
  for (int k = 0; k < kFunctions; ++k) Approx(got[kFunctions * 17 + k]);
  return Verdict();
}
