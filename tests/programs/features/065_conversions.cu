// Conversions in all roundings: floats and doubles to integers, wide integers to floats, doubles to floats, floats to
// halves.
#include <cuda_fp16.h>

#include <cfenv>

#include "feature.h"

__global__ void Convert(const double* x, const long long* k, long long* ints, float* floats, unsigned short* halves,
                        int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  const double d = x[i];
  const float f = static_cast<float>(d);
  long long* to = ints + 8 * i;
  to[0] = __float2int_rn(f), to[1] = __float2int_rz(f), to[2] = __float2int_ru(f), to[3] = __float2int_rd(f);
  to[4] = __double2ll_rn(d), to[5] = __double2ll_rz(d), to[6] = __double2ll_ru(d), to[7] = __double2ll_rd(d);
  float* from = floats + 8 * i;
  from[0] = __ll2float_rn(k[i]), from[1] = __ll2float_rz(k[i]), from[2] = __ll2float_ru(k[i]),
  from[3] = __ll2float_rd(k[i]);
  from[4] = __double2float_rn(d), from[5] = __double2float_rz(d), from[6] = __double2float_ru(d),
  from[7] = __double2float_rd(d);
  halves[4 * i] = __half_as_ushort(__float2half_rn(f)), halves[4 * i + 1] = __half_as_ushort(__float2half_rz(f));
  halves[4 * i + 2] = __half_as_ushort(__float2half_ru(f)), halves[4 * i + 3] = __half_as_ushort(__float2half_rd(f));
}

int main() {
  constexpr int kCount = 300;
  static double x[kCount];
  static long long k[kCount], ints[8 * kCount], wanted_ints[8 * kCount];
  static float floats[8 * kCount], wanted_floats[8 * kCount];
  static unsigned short halves[4 * kCount], wanted_halves[4 * kCount];
  const int modes[4] = {FE_TONEAREST, FE_TOWARDZERO, FE_UPWARD, FE_DOWNWARD};
  for (int i = 0; i < kCount; ++i) {
    x[i] = i % 10 == 0 ? i / 10 + 0.5 : (MixUnit(i) - 0.5 + MixUnit(i + 1) * 1e-8) * 3000;
    k[i] = static_cast<long long>(static_cast<uint64_t>(Mix(i)) << 32 | Mix(i + 7)) >> (i % 40);
    for (int m = 0; m < 4; ++m) {
      volatile double d = x[i];
      volatile long long wide = k[i];
      volatile float f = static_cast<float>(x[i]);
      std::fesetround(modes[m]);
      volatile long long from_float = std::llrint(f), from_double = std::llrint(d);
      volatile float from = static_cast<float>(wide), narrow = static_cast<float>(d);
      std::fesetround(FE_TONEAREST);
      wanted_ints[8 * i + m] = from_float;
      wanted_ints[8 * i + 4 + m] = from_double;
      wanted_floats[8 * i + m] = from;
      wanted_floats[8 * i + 4 + m] = narrow;
    }
    const float f = static_cast<float>(x[i]);
    wanted_halves[4 * i] = __half_as_ushort(__float2half_rn(f)),
                      wanted_halves[4 * i + 1] = __half_as_ushort(__float2half_rz(f));
    wanted_halves[4 * i + 2] = __half_as_ushort(__float2half_ru(f)),
                          wanted_halves[4 * i + 3] = __half_as_ushort(__float2half_rd(f));
  }
  DeviceArray<double> d_x(x, kCount);
  DeviceArray<long long> d_k(k, kCount), d_ints(8 * kCount);
  DeviceArray<float> d_floats(8 * kCount);
  DeviceArray<unsigned short> d_halves(4 * kCount);
  Convert<<<3, 100>>>(d_x, d_k, d_ints, d_floats, d_halves, kCount);
  FINISH();
  d_ints.CopyTo(ints), d_floats.CopyTo(floats), d_halves.CopyTo(halves);
  ExpectSame("ints", ints, wanted_ints, 8 * kCount);
  ExpectSame("floats", floats, wanted_floats, 8 * kCount);
  ExpectSame("halves", halves, wanted_halves, 4 * kCount);
  Out(ints, sizeof ints), Out(floats, sizeof floats), Out(halves, sizeof halves);
  return Verdict();
}
