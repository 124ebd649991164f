// arch: 80
// bfloat16, the upper half of a float: arithmetic and conversions, one at a time and in pairs.
#include <cuda_bf16.h>

#include "feature.h"

using Bf = __nv_bfloat16;

__global__ void Bfloats(const float* x, const float* y, Bf* out, __nv_bfloat162* pairs, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  const Bf a = __float2bfloat16(x[i]), b = __float2bfloat16(y[i]);
  Bf* row = out + 6 * i;
  row[0] = a;
  row[1] = __hadd_rn(a, b);
  row[2] = __hmul_rn(a, b);
  row[3] = __hfma(a, b, b);
  row[4] = __hmax(a, b);
  row[5] = __float2bfloat16_rz(x[i] * 3.0f);
  pairs[i] = __hmul2_rn(__floats2bfloat162_rn(x[i], y[i]), __bfloat162bfloat162(b));
}

int main() {
  constexpr int kCount = 500;
  static float x[kCount], y[kCount];
  static Bf got[6 * kCount], want[6 * kCount];
  static __nv_bfloat162 pairs[kCount], wanted_pairs[kCount];
  for (int i = 0; i < kCount; ++i) {
    x[i] = (MixUnit(i) - 0.5f) * 20;
    y[i] = (MixUnit(i + kCount) - 0.5f) * 3;
    const Bf a = __float2bfloat16_rn(x[i]), b = __float2bfloat16_rn(y[i]);
    const double p = __bfloat162float(a), q = __bfloat162float(b);  // exact in double
    Bf* row = want + 6 * i;
    row[0] = a;
    row[1] = __double2bfloat16(p + q);
    row[2] = __double2bfloat16(p * q);
    row[3] = __double2bfloat16(p * q + q);
    row[4] = p > q ? a : b;
    row[5] = __float2bfloat16_rz(x[i] * 3.0f);
    wanted_pairs[i] = __halves2bfloat162(__double2bfloat16(p * q), __double2bfloat16(q * q));
  }
  DeviceArray<float> d_x(x, kCount), d_y(y, kCount);
  DeviceArray<Bf> d_out(6 * kCount);
  DeviceArray<__nv_bfloat162> d_pairs(kCount);
  Bfloats<<<4, 128>>>(d_x, d_y, d_out, d_pairs, kCount);
  FINISH();
  d_out.CopyTo(got);
  d_pairs.CopyTo(pairs);
  const auto bits = [](const void* bfloats) { return static_cast<const unsigned short*>(bfloats); };
  ExpectSame("bits of out", bits(got), bits(want), 6 * kCount);
  ExpectSame("bits of pairs", bits(pairs), bits(wanted_pairs), 2 * kCount);
  Out(got, sizeof got);
  Out(pairs, sizeof pairs);
  return Verdict();
}
