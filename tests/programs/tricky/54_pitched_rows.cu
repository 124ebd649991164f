// Rows at a pitch: between them lies memory that nobody writes, and the copy back leaves it out.
#include "program.h"

__global__ void Fill(char* image, size_t pitch, int width, int height) {
  const int x = blockIdx.x * 32 + threadIdx.x, y = blockIdx.y * 8 + threadIdx.y;
  if (x >= width || y >= height) return;
  float* row = reinterpret_cast<float*>(image + y * pitch);
  row[x] = x + 100.0f * y;
}

int main() {
  constexpr int kWidth = 37, kHeight = 13;
  static float got[kWidth * kHeight];
  char* image = nullptr;
  size_t pitch = 0;
  CHECK(cudaMallocPitch(&image, &pitch, kWidth * sizeof(float), kHeight));
  Fill<<<dim3(2, 2), dim3(32, 8)>>>(image, pitch, kWidth, kHeight);
  FINISH();
  CHECK(
      cudaMemcpy2D(got, kWidth * sizeof(float), image, pitch, kWidth * sizeof(float), kHeight, cudaMemcpyDeviceToHost));
  CHECK(cudaFree(image));
  for (int i = 0; i < kWidth * kHeight; ++i) EXPECT(got[i] == i % kWidth + 100.0f * (i / kWidth));
  PrintOut(got, sizeof got);
  return 0;
}
