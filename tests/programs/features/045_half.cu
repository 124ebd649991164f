// Half precision, one at a time and in pairs: arithmetic rounds to nearest even, so the host can predict each bit.
#include <cuda_fp16.h>

#include "feature.h"

__global__ void Halves(const half* a, const half* b, half* out, half2* pairs, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  half* row = out + 6 * i;
  row[0] = __hadd_rn(a[i], b[i]);
  row[1] = __hmul_rn(a[i], b[i]);
  row[2] = __hfma(a[i], b[i], a[i]);
  row[3] = __hsub_rn(a[i], b[i]);
  row[4] = __hgt(a[i], b[i]) ? __habs(a[i]) : __hneg(b[i]);
  row[5] = __hadd_sat(a[i], b[i]);
  const half2 pair = __halves2half2(a[i], b[i]);
  pairs[i] = __hfma2(pair, __lowhigh2highlow(pair), __float2half2_rn(0.5f));
}

half Round(double x) { return __double2half(x); }

int main() {
  constexpr int kCount = 600;
  static half a[kCount], b[kCount], got[6 * kCount], want[6 * kCount];
  static half2 pairs[kCount], wanted_pairs[kCount];
  for (int i = 0; i < kCount; ++i) {
    a[i] = __float2half((MixUnit(i) - 0.5f) * 16);
    b[i] = __float2half((MixUnit(i + kCount) - 0.5f) * (i % 3 == 0 ? 0.001f : 4.0f));
    const double x = __half2float(a[i]), y = __half2float(b[i]);  // sums and products of halves are exact in double
    half* row = want + 6 * i;
    row[0] = Round(x + y);
    row[1] = Round(x * y);
    row[2] = Round(x * y + x);
    row[3] = Round(x - y);
    row[4] = Round(x > y ? std::fabs(x) : -y);
    row[5] = Round(x + y < 0 ? 0 : x + y > 1 ? 1 : x + y);
    wanted_pairs[i] = __halves2half2(Round(x * y + 0.5), Round(x * y + 0.5));
  }
  DeviceArray<half> d_a(a, kCount), d_b(b, kCount), d_out(6 * kCount);
  DeviceArray<half2> d_pairs(kCount);
  Halves<<<5, 128>>>(d_a, d_b, d_out, d_pairs, kCount);
  FINISH();
  d_out.CopyTo(got);
  d_pairs.CopyTo(pairs);
  const auto bits = [](const void* halves) { return static_cast<const unsigned short*>(halves); };
  ExpectSame("bits of out", bits(got), bits(want), 6 * kCount);
  ExpectSame("bits of pairs", bits(pairs), bits(wanted_pairs), 2 * kCount);
  Out(got, sizeof got);
  Out(pairs, sizeof pairs);
  return Verdict();
}
