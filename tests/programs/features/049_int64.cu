// 64-bit integers: products high and low, division, remainder, shifts, and multiplication modulo a prime.
#include "feature.h"

using u64 = unsigned long long;

__host__ __device__ u64 High(u64 a, u64 b) {
#ifdef __CUDA_ARCH__
  return __umul64hi(a, b);
#else
  return static_cast<u64>((static_cast<unsigned __int128>(a) * b) >> 64);
#endif
}

__host__ __device__ u64 Wide(uint32_t x) { return static_cast<u64>(Mix(x)) << 32 | Mix(x + 77777); }

__host__ __device__ void Row(u64* row, u64 a, u64 b) {
  const long long s = static_cast<long long>(a), t = static_cast<long long>(b);
  row[0] = a * b;
  row[1] = High(a, b);
  row[2] = a / (b | 1) + a % (b >> 40 | 1);
  row[3] = static_cast<u64>(s / (t >> 33 | 1)) ^ static_cast<u64>(s % (t >> 20 | 1));
  row[4] = (a << (b % 64)) ^ (a >> (b / 64 % 64)) ^ static_cast<u64>(s >> (b % 50));
  u64 power = 1;
  for (int e = 0; e < 10; ++e) power = power * (a % 2147483647) % 2147483647;
  row[5] = power;
}

__global__ void Wides(u64* out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) Row(out + 6 * i, Wide(2 * i), Wide(2 * i + 1));
}

int main() {
  constexpr int kCount = 300;
  static u64 got[6 * kCount], want[6 * kCount];
  for (int i = 0; i < kCount; ++i) Row(want + 6 * i, Wide(2 * i), Wide(2 * i + 1));
  DeviceArray<u64> out(6 * kCount);
  Wides<<<3, 128>>>(out, kCount);
  FINISH();
  out.CopyTo(got);
  ExpectSame("out", got, want, 6 * kCount);
  Out(got, sizeof got);
  return Verdict();
}
