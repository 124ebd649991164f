// cudaMemset fills bytes, not elements: 0x01 gives ints of 0x01010101; cudaMemset2D leaves the padding of rows alone.
#include "feature.h"

__global__ void Increment(unsigned* values, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) ++values[i];
}

int main() {
  constexpr int kCount = 1000, kWidth = 12, kHeight = 5, kPitch = 64;
  static unsigned got[kCount], want[kCount];
  for (int i = 0; i < kCount; ++i) want[i] = i < 500 ? 0x01010102u : 0u;
  DeviceArray<unsigned> values(kCount);
  CHECK(cudaMemset(values, 0xff, kCount * sizeof(unsigned)));
  CHECK(cudaMemset(values, 0x01, 500 * sizeof(unsigned)));
  Increment<<<(kCount + 127) / 128, 128>>>(values, kCount);
  FINISH();
  values.CopyTo(got);
  ExpectSame("values", got, want, kCount);

  static unsigned char rows[kHeight][kPitch], wanted_rows[kHeight][kPitch];
  for (int y = 0; y < kHeight; ++y) std::memset(wanted_rows[y], 0x5a, kWidth);
  DeviceArray<unsigned char> d_rows(sizeof rows);
  d_rows.Fill(0);
  CHECK(cudaMemset2D(d_rows, kPitch, 0x5a, kWidth, kHeight));
  d_rows.CopyTo(rows[0]);
  ExpectSame("rows", rows[0], wanted_rows[0], sizeof rows);
  Out(got, sizeof got);
  Out(rows, sizeof rows);
  return Verdict();
}
