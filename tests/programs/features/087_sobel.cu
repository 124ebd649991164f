// The Sobel filter finds edges: 3 x 3 neighbours of 8-bit pixels, clamped at the borders, with saturated sums.
#include "feature.h"

__host__ __device__ int Clamp(int v, int low, int high) { return v < low ? low : v > high ? high : v; }

__host__ __device__ unsigned char Edge(const unsigned char* image, int width, int height, int x, int y) {
  int dx = 0, dy = 0;
  for (int k = -1; k <= 1; ++k) {
    const int weight = 2 - k * k;
    const auto at = [=](int i, int j) {
      return image[Clamp(y + j, 0, height - 1) * width + Clamp(x + i, 0, width - 1)];
    };
    dx += weight * (at(1, k) - at(-1, k));
    dy += weight * (at(k, 1) - at(k, -1));
  }
  return Clamp((dx < 0 ? -dx : dx) + (dy < 0 ? -dy : dy), 0, 255);
}

__global__ void Sobel(const unsigned char* image, unsigned char* edges, int width, int height) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x < width && y < height) edges[y * width + x] = Edge(image, width, height, x, y);
}

int main() {
  constexpr int kWidth = 121, kHeight = 67, kCount = kWidth * kHeight;
  static unsigned char image[kCount], got[kCount], want[kCount];
  for (int i = 0; i < kCount; ++i) {  // a disc on a noisy slope
    const int x = i % kWidth - 60, y = i / kWidth - 30;
    image[i] = (x * x + y * y < 400 ? 150 : 0) + x / 2 + 40 + Mix(i) % 20;
  }
  for (int i = 0; i < kCount; ++i) want[i] = Edge(image, kWidth, kHeight, i % kWidth, i / kWidth);
  DeviceArray<unsigned char> d_image(image, kCount), d_edges(kCount);
  Sobel<<<dim3((kWidth + 15) / 16, (kHeight + 7) / 8), dim3(16, 8)>>>(d_image, d_edges, kWidth, kHeight);
  FINISH();
  d_edges.CopyTo(got);
  ExpectSame("edges", got, want, kCount);
  Out(got, sizeof got);
  return Verdict();
}
