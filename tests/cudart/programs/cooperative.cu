#include <cooperative_groups.h>

#include "expect.h"

namespace cg = cooperative_groups;

// Every block adds its neighbour's number, which it can only know after the whole grid has written.
__global__ void neighbours(int* written, int* sums) {
  cg::grid_group grid = cg::this_grid();
  if (threadIdx.x == 0) written[blockIdx.x] = blockIdx.x * 10;
  grid.sync();
  if (threadIdx.x == 0) sums[blockIdx.x] = written[blockIdx.x] + written[(blockIdx.x + 1) % gridDim.x];
}

int main() {
  const int blocks = 16;
  int *d_written, *d_sums;
  EXPECT_OK(cudaMalloc(&d_written, blocks * sizeof(int)));
  EXPECT_OK(cudaMalloc(&d_sums, blocks * sizeof(int)));
  void* arguments[] = {&d_written, &d_sums};
  EXPECT_OK(cudaLaunchCooperativeKernel(neighbours, blocks, 64, arguments, 0, nullptr));
  EXPECT_OK(cudaDeviceSynchronize());
  int sums[blocks];
  EXPECT_OK(cudaMemcpy(sums, d_sums, sizeof sums, cudaMemcpyDeviceToHost));
  for (int b = 0; b < blocks; ++b) EXPECT(sums[b] == b * 10 + (b + 1) % blocks * 10);

  int resident = 0;
  EXPECT_OK(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&resident, neighbours, 64, 0));
  EXPECT_CODE(cudaLaunchCooperativeKernel(neighbours, resident * 132 + 1, 64, arguments, 0, nullptr),
              cudaErrorCooperativeLaunchTooLarge);
  EXPECT_CODE(cudaGetLastError(), cudaErrorCooperativeLaunchTooLarge);
  EXPECT_OK(cudaDeviceSynchronize());
  return Failures();
}
