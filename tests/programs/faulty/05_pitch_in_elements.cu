// A pitch counts bytes; here it is taken for a count of floats, so that the rows lie four times too far apart.
// expect: out-of-bounds at FAULT
#include "program.h"

__global__ void Clear(float* image, size_t pitch, int width, int height) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x;
  const int y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x < width && y < height) image[y * pitch + x] = 0;  // FAULT
}

int main() {
  constexpr int kWidth = 100, kHeight = 40;
  float* image = nullptr;
  size_t pitch = 0;
  CHECK(cudaMallocPitch(&image, &pitch, kWidth * sizeof(float), kHeight));
  Clear<<<dim3(4, 5), dim3(32, 8)>>>(image, pitch, kWidth, kHeight);
  const bool stopped = cudaDeviceSynchronize() == cudaErrorIllegalAddress;
  cudaFree(image);
  return stopped ? 0 : 1;
}
