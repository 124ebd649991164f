// Saturation: floats clamped to [0, 1], conversions that stop at a type's ends, integers that do not wrap around.
#include <climits>

#include "feature.h"

__global__ void Saturate(const float* x, const int* k, float* floats, int* ints, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  floats[2 * i] = __saturatef(x[i]);
  asm("add.sat.f32 %0, %1, %2;" : "=f"(floats[2 * i + 1]) : "f"(x[i]), "f"(0.25f));
  int* row = ints + 6 * i;
  row[0] = __float2int_rz(x[i] * 1e9f);
  row[1] = static_cast<int>(__float2uint_rn(x[i] * 2e9f));
  asm("add.sat.s32 %0, %1, %2;" : "=r"(row[2]) : "r"(k[i]), "r"(k[(i + 1) % n]));
  asm("sub.sat.s32 %0, %1, %2;" : "=r"(row[3]) : "r"(k[i]), "r"(k[(i + 1) % n]));
  asm("cvt.sat.s8.s32 %0, %1;" : "=r"(row[4]) : "r"(k[i] >> 20));
  asm("cvt.sat.u16.s32 %0, %1;" : "=r"(row[5]) : "r"(k[i] >> 12));
}

long long Clamp(double x, double low, double high) {
  return static_cast<long long>(x < low ? low : x > high ? high : x);
}

int main() {
  constexpr int kCount = 300;
  static float x[kCount], floats[2 * kCount], wanted_floats[2 * kCount];
  static int k[kCount], ints[6 * kCount], wanted_ints[6 * kCount];
  for (int i = 0; i < kCount; ++i) {
    x[i] = (MixUnit(i) - 0.5f) * 8;
    k[i] = static_cast<int>(Mix(i + kCount));
  }
  for (int i = 0; i < kCount; ++i) {
    const auto unit = [](float v) { return v < 0 ? 0.0f : v > 1 ? 1.0f : v; };
    wanted_floats[2 * i] = unit(x[i]);
    wanted_floats[2 * i + 1] = unit(x[i] + 0.25f);
    const double a = k[i], b = k[(i + 1) % kCount];
    int* row = wanted_ints + 6 * i;
    row[0] = static_cast<int>(Clamp(x[i] * 1e9f, INT_MIN, INT_MAX));
    row[1] = static_cast<int>(static_cast<unsigned>(Clamp(std::rint(x[i] * 2e9f), 0, UINT_MAX)));
    row[2] = static_cast<int>(Clamp(a + b, INT_MIN, INT_MAX));
    row[3] = static_cast<int>(Clamp(a - b, INT_MIN, INT_MAX));
    row[4] = static_cast<int>(Clamp(k[i] >> 20, -128, 127));
    row[5] = static_cast<int>(Clamp(k[i] >> 12, 0, 65535));
  }
  DeviceArray<float> d_x(x, kCount), d_floats(2 * kCount);
  DeviceArray<int> d_k(k, kCount), d_ints(6 * kCount);
  Saturate<<<3, 100>>>(d_x, d_k, d_floats, d_ints, kCount);
  FINISH();
  d_floats.CopyTo(floats);
  d_ints.CopyTo(ints);
  ExpectSame("floats", floats, wanted_floats, 2 * kCount);
  ExpectSame("ints", ints, wanted_ints, 6 * kCount);
  Out(floats, sizeof floats);
  Out(ints, sizeof ints);
  return Verdict();
}
