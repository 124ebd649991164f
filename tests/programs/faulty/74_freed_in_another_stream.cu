// Memory is freed in a stream that does not wait for the kernel which still uses it.
// expect: stream-race at FAULT with OTHER
#include "program.h"

__global__ void Set(int* out) { out[threadIdx.x] = threadIdx.x; }

int main() {
  int* data;
  cudaStream_t works, cleans;
  CHECK(cudaStreamCreate(&works));
  CHECK(cudaStreamCreate(&cleans));
  CHECK(cudaMallocAsync(&data, 256 * sizeof(int), works));
  Set<<<1, 256, 0, works>>>(data);     // OTHER
  CHECK(cudaFreeAsync(data, cleans));  // FAULT
  FINISH();
  CHECK(cudaStreamDestroy(works));
  CHECK(cudaStreamDestroy(cleans));
  return 0;
}
