// A kernel stores its answer into pinned memory and then a flag, and the host waits for the flag alone: a fence orders
// the two, and no CUDA call waits.
#include "program.h"

__global__ void Answer(int* answer, volatile int* flag) {
  answer[threadIdx.x] = 3 * threadIdx.x;
  __threadfence_system();
  __syncthreads();
  if (threadIdx.x == 0) *flag = 1;
}

int main() {
  int *answer, *flag;
  CHECK(cudaMallocHost(&answer, 1024 * sizeof(int)));
  CHECK(cudaMallocHost(&flag, sizeof(int)));
  *flag = 0;
  Answer<<<1, 1024>>>(answer, flag);
  CHECK(cudaGetLastError());
  while (*static_cast<volatile int*>(flag) == 0) {
  }
  for (int i = 0; i < 1024; ++i) EXPECT(answer[i] == 3 * i);
  PrintOut(answer, 1024 * sizeof(int));
  CHECK(cudaFreeHost(answer));
  CHECK(cudaFreeHost(flag));
  return 0;
}
