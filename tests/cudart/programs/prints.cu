#include "expect.h"

__global__ void print(int of) { printf("kernel %d of %d, %.1f, %s\n", 1 + (int)threadIdx.x, of, 2.5, "text"); }

int main() {
  std::printf("host before\n");
  print<<<1, 1>>>(3);
  EXPECT_OK(cudaDeviceSynchronize());
  std::printf("host after\n");
  return Failures();
}
