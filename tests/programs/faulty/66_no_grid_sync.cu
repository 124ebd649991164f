// A cooperative kernel whose blocks add up each other's sums with no grid barrier between, only their own.
// expect: global-race at FAULT with OTHER
#include <cooperative_groups.h>

#include "program.h"

__global__ void Normalise(int* values, int* sums) {
  __shared__ int sum;
  if (threadIdx.x == 0) sum = 0;
  __syncthreads();
  int* own = &values[blockIdx.x * blockDim.x + threadIdx.x];
  atomicAdd(&sum, *own);
  __syncthreads();
  if (threadIdx.x == 0) sums[blockIdx.x] = sum;  // OTHER
  cooperative_groups::this_thread_block().sync();
  int total = 0;
  for (int b = 0; b < gridDim.x; ++b) total += sums[b];  // FAULT
  *own -= total / static_cast<int>(gridDim.x * blockDim.x);
}

int main() {
  DeviceArray<int> values(4 * 128), sums(4);
  values.Fill(1);
  sums.Fill(0);
  int *pv = values, *ps = sums;
  void* arguments[] = {&pv, &ps};
  CHECK(cudaLaunchCooperativeKernel(reinterpret_cast<void*>(Normalise), 4, 128, arguments));
  FINISH();
  return 0;
}
