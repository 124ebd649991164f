// Four 8-bit products in one instruction: signed and unsigned __dp4a, and 16 by 8 bits with __dp2a.
#include "feature.h"

__global__ void Dot(const int* a, const int* b, int* out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  out[4 * i] = __dp4a(a[i], b[i], 1000);
  out[4 * i + 1] = __dp4a(static_cast<unsigned>(a[i]), static_cast<unsigned>(b[i]), 7u);
  out[4 * i + 2] = __dp2a_lo(a[i], b[i], -5);
  out[4 * i + 3] = __dp2a_hi(a[i], b[i], 5);
}

int main() {
  constexpr int kCount = 400;
  static int a[kCount], b[kCount], got[4 * kCount], want[4 * kCount];
  const auto byte = [](int word, int k) { return static_cast<int>(static_cast<signed char>(word >> (8 * k))); };
  const auto half = [](int word, int k) { return static_cast<int>(static_cast<short>(word >> (16 * k))); };
  for (int i = 0; i < kCount; ++i) {
    a[i] = Mix(i);
    b[i] = Mix(i + kCount);
    int* row = want + 4 * i;
    row[0] = 1000, row[1] = 7;
    for (int k = 0; k < 4; ++k) {
      row[0] += byte(a[i], k) * byte(b[i], k);
      row[1] += (byte(a[i], k) & 255) * (byte(b[i], k) & 255);
    }
    row[2] = -5 + half(a[i], 0) * byte(b[i], 0) + half(a[i], 1) * byte(b[i], 1);
    row[3] = 5 + half(a[i], 0) * byte(b[i], 2) + half(a[i], 1) * byte(b[i], 3);
  }
  DeviceArray<int> d_a(a, kCount), d_b(b, kCount), d_out(4 * kCount);
  Dot<<<4, 100>>>(d_a, d_b, d_out, kCount);
  FINISH();
  d_out.CopyTo(got);
  ExpectSame("out", got, want, 4 * kCount);
  Out(got, sizeof got);
  return Verdict();
}
