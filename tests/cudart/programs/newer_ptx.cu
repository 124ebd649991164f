// Holds PTX for compute_90 only.
#include "expect.h"

__global__ void Kernel() {}

int main() {
  Kernel<<<1, 1>>>();
  std::printf("%s\n", cudaGetErrorName(cudaGetLastError()));
  return 0;
}
