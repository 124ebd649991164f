// Pitched rows: cudaMallocPitch pads each row, and cudaMemcpy2D carries a rectangle between different pitches.
#include "feature.h"

__global__ void AddRowNumber(char* base, size_t pitch, int width, int height) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x;
  const int y = blockIdx.y;
  if (x < width && y < height) reinterpret_cast<int*>(base + y * pitch)[x] += 1000 * y;
}

int main() {
  constexpr int kWidth = 77, kHeight = 19;
  static int image[kHeight][kWidth], got[kHeight][kWidth], want[kHeight][kWidth];
  for (int y = 0; y < kHeight; ++y) {
    for (int x = 0; x < kWidth; ++x) {
      image[y][x] = Mix(y * kWidth + x) % 1000;
      want[y][x] = image[y][x] + 1000 * y;
    }
  }
  char* pitched = nullptr;
  size_t pitch = 0;
  CHECK(cudaMallocPitch(&pitched, &pitch, kWidth * sizeof(int), kHeight));
  Expect(pitch >= kWidth * sizeof(int) && pitch % 32 == 0, "a pitch holds a row and keeps it aligned");
  CHECK(cudaMemcpy2D(pitched, pitch, image, sizeof image[0], sizeof image[0], kHeight, cudaMemcpyHostToDevice));
  AddRowNumber<<<dim3((kWidth + 31) / 32, kHeight), 32>>>(pitched, pitch, kWidth, kHeight);
  FINISH();
  CHECK(cudaMemcpy2D(got, sizeof got[0], pitched, pitch, sizeof got[0], kHeight, cudaMemcpyDeviceToHost));
  ExpectSame("got", &got[0][0], &want[0][0], kWidth * kHeight);

  // A window of 5 x 3 in the middle of it, packed densely.
  int window[3][5];
  CHECK(cudaMemcpy2D(window, sizeof window[0], pitched + 7 * pitch + 11 * sizeof(int), pitch, sizeof window[0], 3,
                     cudaMemcpyDeviceToHost));
  for (int y = 0; y < 3; ++y) ExpectSame("window", window[y], &want[7 + y][11], 5);
  Out(got, sizeof got);
  CHECK(cudaFree(pitched));
  return Verdict();
}
