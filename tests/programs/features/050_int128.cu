// 128-bit integers in a kernel: chains of additions with carry, products, shifts, comparison and division.
#include "feature.h"

using u128 = unsigned __int128;
struct alignas(16) Row {
  u128 sum, product, shifted, quotient, mixed;
};

__host__ __device__ u128 Wide(uint32_t x) {
  return static_cast<u128>(static_cast<uint64_t>(Mix(x)) << 32 | Mix(x + 1)) << 64 |
         (static_cast<uint64_t>(Mix(x + 2)) << 32 | Mix(x + 3));
}

__host__ __device__ Row Compute(int i) {
  const u128 a = Wide(8 * i), b = Wide(8 * i + 4);
  Row row;
  row.sum = a + b + 1;
  row.product = a * b;
  row.shifted = (a << (i % 128)) ^ (b >> (i * 7 % 128));
  row.quotient = a / ((b >> (i % 100)) | 1);
  row.mixed = (a > b ? a - b : b - a) % 1000000007 + static_cast<u128>(static_cast<__int128>(a) >> 70);
  return row;
}

__global__ void Wides(Row* rows, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) rows[i] = Compute(i);
}

int main() {
  constexpr int kCount = 200;
  static Row got[kCount], want[kCount];
  for (int i = 0; i < kCount; ++i) want[i] = Compute(i);
  DeviceArray<Row> rows(kCount);
  Wides<<<2, 128>>>(rows, kCount);
  FINISH();
  rows.CopyTo(got);
  ExpectSame("64-bit halves", reinterpret_cast<uint64_t*>(got), reinterpret_cast<uint64_t*>(want), kCount * 10);
  Out(got, sizeof got);
  return Verdict();
}
