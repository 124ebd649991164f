// Faults of the host's side; the environment variable PLANT says which: leak, double_free, inside_free, unchecked,
// checked, or anything else for none.
#include <cstdlib>
#include <cstring>

#include "expect.h"

__global__ void Kernel() {}

bool Planted(const char* what) { return std::strcmp(std::getenv("PLANT"), what) == 0; }

int main() {
  char *d_data, *pinned, *d_more;
  cudaMalloc(&d_data, 100);
  cudaMallocHost(&pinned, 200);
  Kernel<<<1, 32>>>();
  if (Planted("leak")) {
    cudaMalloc(&d_more, 4096);
    cudaMalloc(&d_more, 1000);
    cudaMallocManaged(&d_more, 300);
  }
  if (Planted("unchecked")) {
    for (volatile int i = 0; i < 2; i = i + 1) Kernel<<<1, 2048>>>();  // volatile: not unrolled into two calls
    Kernel<<<1, 2048>>>();
  }
  if (Planted("checked")) {
    Kernel<<<1, 2048>>>();
    EXPECT_CODE(cudaGetLastError(), cudaErrorInvalidConfiguration);
  }
  if (Planted("inside_free")) EXPECT_CODE(cudaFree(d_data + 4), cudaErrorInvalidValue);
  cudaFree(d_data);
  if (Planted("double_free")) EXPECT_CODE(cudaFree(d_data), cudaErrorInvalidValue);
  cudaFreeHost(pinned);
  return Failures();
}
