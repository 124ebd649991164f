// Conway's Game of Life on a torus: a glider and random cells, two arrays that change places every generation.
#include "feature.h"

__host__ __device__ unsigned char Next(const unsigned char* cells, int width, int height, int x, int y) {
  int neighbours = 0;
  for (int dy = -1; dy <= 1; ++dy) {
    for (int dx = -1; dx <= 1; ++dx) {
      if (dx != 0 || dy != 0) neighbours += cells[(y + dy + height) % height * width + (x + dx + width) % width];
    }
  }
  return neighbours == 3 || (neighbours == 2 && cells[y * width + x]);
}

__global__ void Generation(const unsigned char* now, unsigned char* next, int width, int height) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x < width && y < height) next[y * width + x] = Next(now, width, height, x, y);
}

int main() {
  constexpr int kWidth = 90, kHeight = 50, kCount = kWidth * kHeight, kGenerations = 12;
  static unsigned char now[kCount], next[kCount], got[kCount];
  for (int i = 0; i < kCount; ++i) now[i] = i / kWidth > 20 && Mix(i) % 3 == 0;
  for (int i : {1, kWidth + 2, 2 * kWidth, 2 * kWidth + 1, 2 * kWidth + 2}) now[i] = 1;
  DeviceArray<unsigned char> first(now, kCount), second(kCount);
  unsigned char *from = first, *to = second;
  for (int generation = 0; generation < kGenerations; ++generation) {
    Generation<<<dim3((kWidth + 15) / 16, (kHeight + 15) / 16), dim3(16, 16)>>>(from, to, kWidth, kHeight);
    unsigned char* swapped = from;
    from = to;
    to = swapped;
    for (int i = 0; i < kCount; ++i) next[i] = Next(now, kWidth, kHeight, i % kWidth, i / kWidth);
    std::memcpy(now, next, kCount);
  }
  FINISH();
  CHECK(cudaMemcpy(got, from, kCount, cudaMemcpyDeviceToHost));
  ExpectSame("cells", got, now, kCount);
  Out(got, kCount);
  return Verdict();
}
