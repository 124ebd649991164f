// cub::DeviceReduce::Sum: the two-call protocol (ask for the size of the workspace, then run), one or two kernels.
#include <cub/device/device_reduce.cuh>
#include <vector>

#include "../programs/expect.h"
#include "sizes.h"

void Sums(int n) {
  std::vector<int> values(n);
  int want = 0;
  for (int i = 0; i < n; ++i) want += values[i] = i % 1001 - 499;
  int *d_values, *d_sum;
  EXPECT_OK(cudaMalloc(&d_values, n * sizeof(int) + 1));
  EXPECT_OK(cudaMalloc(&d_sum, sizeof(int)));
  EXPECT_OK(cudaMemcpy(d_values, values.data(), n * sizeof(int), cudaMemcpyHostToDevice));
  void* d_workspace = nullptr;
  size_t bytes = 0;
  EXPECT_OK(cub::DeviceReduce::Sum(d_workspace, bytes, d_values, d_sum, n));
  EXPECT_OK(cudaMalloc(&d_workspace, bytes));
  EXPECT_OK(cub::DeviceReduce::Sum(d_workspace, bytes, d_values, d_sum, n));
  int got = -1;
  EXPECT_OK(cudaMemcpy(&got, d_sum, sizeof(int), cudaMemcpyDeviceToHost));
  EXPECT(got == want);
  EXPECT_OK(cudaFree(d_values));
  EXPECT_OK(cudaFree(d_sum));
  EXPECT_OK(cudaFree(d_workspace));
}

int main() {
  for (int n : kSizes) Sums(n);
  return Failures();
}
