// Volumes: cudaMalloc3D pads rows, and cudaMemcpy3D carries a box from the middle of one volume to another.
#include "feature.h"

__global__ void Fill(cudaPitchedPtr volume, int width, int height, int depth) {
  const int x = threadIdx.x, y = blockIdx.x, z = blockIdx.y;
  if (x >= width || y >= height || z >= depth) return;
  char* row = static_cast<char*>(volume.ptr) + (z * height + y) * volume.pitch;
  reinterpret_cast<int*>(row)[x] = x + 100 * y + 10000 * z;
}

int main() {
  constexpr int kWidth = 20, kHeight = 10, kDepth = 6;         // of the volume
  constexpr int kBoxWidth = 7, kBoxHeight = 4, kBoxDepth = 3;  // of the box at (5, 3, 2)
  cudaPitchedPtr volume;
  CHECK(cudaMalloc3D(&volume, make_cudaExtent(kWidth * sizeof(int), kHeight, kDepth)));
  Expect(volume.pitch >= kWidth * sizeof(int), "a pitch holds a row");
  Fill<<<dim3(kHeight, kDepth), 32>>>(volume, kWidth, kHeight, kDepth);
  FINISH();

  static int got[kBoxDepth][kBoxHeight][kBoxWidth];
  cudaMemcpy3DParms copy = {};
  copy.srcPtr = volume;
  copy.srcPos = make_cudaPos(5 * sizeof(int), 3, 2);
  copy.dstPtr = make_cudaPitchedPtr(got, sizeof got[0][0], kBoxWidth, kBoxHeight);
  copy.extent = make_cudaExtent(kBoxWidth * sizeof(int), kBoxHeight, kBoxDepth);
  copy.kind = cudaMemcpyDeviceToHost;
  CHECK(cudaMemcpy3D(&copy));
  for (int z = 0; z < kBoxDepth; ++z) {
    for (int y = 0; y < kBoxHeight; ++y) {
      for (int x = 0; x < kBoxWidth; ++x) {
        Expect(got[z][y][x] == x + 5 + 100 * (y + 3) + 10000 * (z + 2), "an element of the box");
      }
    }
  }
  Out(got, sizeof got);
  CHECK(cudaFree(volume.ptr));
  return Verdict();
}
