// Double precision: the functions of the mathematical library are within a few units in the last place of the host's.
#include "feature.h"

constexpr int kFunctions = 16;

__host__ __device__ void Row(double* row, double x) {
  row[0] = sin(x);
  row[1] = cos(x);
  row[2] = tan(x * 0.1);
  row[3] = exp(x * 0.3);
  row[4] = log(x + 20);
  row[5] = pow(x + 20, 1.7);
  row[6] = atan2(x, 2.5);
  row[7] = sqrt(x + 20);
  row[8] = cbrt(x);
  row[9] = erf(x * 0.2);
  row[10] = tgamma(fabs(x) * 0.5 + 0.5);
  row[11] = hypot(x, 3.0);
  row[12] = sinh(x * 0.25);
  row[13] = asin(x * 0.05);
  row[14] = fmod(x * 10, 0.75);
  row[15] = floor(x) + ceil(x) + rint(x) + trunc(x) + log1p(fabs(x)) + expm1(x * 0.1) + log2(x + 20) + exp2(x * 0.1);
}

__global__ void Functions(const double* x, double* out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) Row(out + kFunctions * i, x[i]);
}

int main() {
  constexpr int kCount = 256;
  static double x[kCount], got[kCount * kFunctions], want[kCount * kFunctions];
  for (int i = 0; i < kCount; ++i) {
    x[i] = (MixUnit(i) - 0.5) * 39;
    Row(want + kFunctions * i, x[i]);
  }
  DeviceArray<double> d_x(x, kCount), d_out(kCount * kFunctions);
  Functions<<<2, 128>>>(d_x, d_out, kCount);
  FINISH();
  d_out.CopyTo(got);
  ExpectNear("functions", got, want, kCount * kFunctions, 1e-13);
  for (int k = 0; k < kFunctions; ++k) Approx(got[kFunctions * 17 + k]);
  return Verdict();
}
