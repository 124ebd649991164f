// flags: -fmad=false
// The Mandelbrot set: each thread iterates until its point escapes, so that the lanes of a warp leave at their own
// times.
#include "feature.h"

__host__ __device__ int Iterations(float x, float y, int most) {
  float u = 0, v = 0;
  int k = 0;
  for (; k < most && u * u + v * v < 4.0f; ++k) {
    const float next = u * u - v * v + x;
    v = 2.0f * u * v + y;
    u = next;
  }
  return k;
}

__global__ void Mandelbrot(int* out, int width, int height, int most) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x, j = blockIdx.y * blockDim.y + threadIdx.y;
  if (i < width && j < height) out[j * width + i] = Iterations(i * (3.0f / 128) - 2.2f, j * (2.5f / 64) - 1.25f, most);
}

int main() {
  constexpr int kWidth = 128, kHeight = 61, kMost = 200, kCount = kWidth * kHeight;
  static int got[kCount], want[kCount];
  for (int j = 0; j < kHeight; ++j) {
    for (int i = 0; i < kWidth; ++i) {
      want[j * kWidth + i] = Iterations(i * (3.0f / 128) - 2.2f, j * (2.5f / 64) - 1.25f, kMost);
    }
  }
  DeviceArray<int> out(kCount);
  Mandelbrot<<<dim3(4, 8), dim3(32, 8)>>>(out, kWidth, kHeight, kMost);
  FINISH();
  out.CopyTo(got);
  ExpectSame("iterations", got, want, kCount);
  Out(got, sizeof got);
  return Verdict();
}
