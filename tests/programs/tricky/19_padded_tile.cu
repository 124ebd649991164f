// A transpose through a tile with a column of padding that nobody writes or reads, over a matrix whose sides are no
// multiples of the tile's.
#include "program.h"

__global__ void Transpose(const int* in, int* out, int width, int height) {
  __shared__ int tile[16][16 + 1];
  int x = blockIdx.x * 16 + threadIdx.x, y = blockIdx.y * 16 + threadIdx.y;
  if (x < width && y < height) tile[threadIdx.y][threadIdx.x] = in[y * width + x];
  __syncthreads();
  x = blockIdx.y * 16 + threadIdx.x;
  y = blockIdx.x * 16 + threadIdx.y;
  if (x < height && y < width) out[y * height + x] = tile[threadIdx.x][threadIdx.y];
}

int main() {
  constexpr int kWidth = 45, kHeight = 30;
  static int host[kWidth * kHeight], got[kWidth * kHeight];
  for (int i = 0; i < kWidth * kHeight; ++i) host[i] = i;
  DeviceArray<int> in(kWidth * kHeight), out(kWidth * kHeight);
  in.CopyFrom(host);
  Transpose<<<dim3(3, 2), dim3(16, 16)>>>(in, out, kWidth, kHeight);
  FINISH();
  out.CopyTo(got);
  for (int x = 0; x < kWidth; ++x) {
    for (int y = 0; y < kHeight; ++y) EXPECT(got[x * kHeight + y] == host[y * kWidth + x]);
  }
  PrintOut(got, sizeof got);
  return 0;
}
