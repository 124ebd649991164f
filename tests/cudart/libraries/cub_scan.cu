// cub::DeviceScan::InclusiveSum: one pass with decoupled look-back, so blocks wait for blocks before them.
#include <cub/device/device_scan.cuh>
#include <numeric>
#include <vector>

#include "../programs/expect.h"
#include "sizes.h"

void Scans(int n) {
  std::vector<int> values(n), want(n), got(n);
  for (int i = 0; i < n; ++i) values[i] = i % 1001 - 499;
  std::inclusive_scan(values.begin(), values.end(), want.begin());
  int *d_values, *d_sums;
  EXPECT_OK(cudaMalloc(&d_values, n * sizeof(int) + 1));
  EXPECT_OK(cudaMalloc(&d_sums, n * sizeof(int) + 1));
  EXPECT_OK(cudaMemcpy(d_values, values.data(), n * sizeof(int), cudaMemcpyHostToDevice));
  void* d_workspace = nullptr;
  size_t bytes = 0;
  EXPECT_OK(cub::DeviceScan::InclusiveSum(d_workspace, bytes, d_values, d_sums, n));
  EXPECT_OK(cudaMalloc(&d_workspace, bytes));
  EXPECT_OK(cub::DeviceScan::InclusiveSum(d_workspace, bytes, d_values, d_sums, n));
  EXPECT_OK(cudaMemcpy(got.data(), d_sums, n * sizeof(int), cudaMemcpyDeviceToHost));
  EXPECT(got == want);
  EXPECT_OK(cudaFree(d_values));
  EXPECT_OK(cudaFree(d_sums));
  EXPECT_OK(cudaFree(d_workspace));
}

int main() {
  for (int n : kSizes) Scans(n);
  return Failures();
}
