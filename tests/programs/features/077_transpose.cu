// Matrix transposition through a padded tile: reads and writes of global memory both run along rows.
#include "feature.h"

constexpr int kTile = 32, kRows = 8;

__global__ void Transpose(const float* in, float* out, int width, int height) {
  __shared__ float tile[kTile][kTile + 1];
  int x = blockIdx.x * kTile + threadIdx.x;
  const int y = blockIdx.y * kTile + threadIdx.y;
  for (int r = 0; r < kTile; r += kRows) {
    if (x < width && y + r < height) tile[threadIdx.y + r][threadIdx.x] = in[(y + r) * width + x];
  }
  __syncthreads();
  x = blockIdx.y * kTile + threadIdx.x;
  const int row = blockIdx.x * kTile + threadIdx.y;
  for (int r = 0; r < kTile; r += kRows) {
    if (x < height && row + r < width) out[(row + r) * height + x] = tile[threadIdx.x][threadIdx.y + r];
  }
}

int main() {
  constexpr int kWidth = 150, kHeight = 77, kCount = kWidth * kHeight;
  static float in[kCount], got[kCount], want[kCount];
  for (int i = 0; i < kCount; ++i) {
    in[i] = MixUnit(i);
    want[i % kWidth * kHeight + i / kWidth] = in[i];
  }
  DeviceArray<float> d_in(in, kCount), d_out(kCount);
  Transpose<<<dim3((kWidth + 31) / 32, (kHeight + 31) / 32), dim3(kTile, kRows)>>>(d_in, d_out, kWidth, kHeight);
  FINISH();
  d_out.CopyTo(got);
  ExpectSame("out", got, want, kCount);
  Out(got, sizeof got);
  return Verdict();
}
