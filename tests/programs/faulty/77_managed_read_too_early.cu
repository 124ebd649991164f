// The host reads managed memory that the kernel may still write: a launch returns before its kernel has run.
// expect: host-race at FAULT with OTHER
#include "program.h"

__global__ void Square(int* data) { data[threadIdx.x] = threadIdx.x * threadIdx.x; }

int main() {
  int* data;
  CHECK(cudaMallocManaged(&data, 64 * sizeof(int)));
  Square<<<1, 64>>>(data);       // OTHER
  std::printf("%d\n", data[8]);  // FAULT
  FINISH();
  CHECK(cudaFree(data));
  return 0;
}
