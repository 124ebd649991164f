// cub::DeviceRadixSort::SortKeys: a single block for few keys, the onesweep kernels for many.
#include <algorithm>
#include <cub/device/device_radix_sort.cuh>
#include <vector>

#include "../programs/expect.h"
#include "sizes.h"

void Sorts(int n) {
  std::vector<unsigned> keys(n), got(n);
  for (int i = 0; i < n; ++i) keys[i] = i * 2654435761u;
  unsigned *d_keys, *d_sorted;
  EXPECT_OK(cudaMalloc(&d_keys, n * sizeof(unsigned) + 1));
  EXPECT_OK(cudaMalloc(&d_sorted, n * sizeof(unsigned) + 1));
  EXPECT_OK(cudaMemcpy(d_keys, keys.data(), n * sizeof(unsigned), cudaMemcpyHostToDevice));
  void* d_workspace = nullptr;
  size_t bytes = 0;
  EXPECT_OK(cub::DeviceRadixSort::SortKeys(d_workspace, bytes, d_keys, d_sorted, n));
  EXPECT_OK(cudaMalloc(&d_workspace, bytes));
  EXPECT_OK(cub::DeviceRadixSort::SortKeys(d_workspace, bytes, d_keys, d_sorted, n));
  EXPECT_OK(cudaMemcpy(got.data(), d_sorted, n * sizeof(unsigned), cudaMemcpyDeviceToHost));
  std::sort(keys.begin(), keys.end());
  EXPECT(got == keys);
  EXPECT_OK(cudaFree(d_keys));
  EXPECT_OK(cudaFree(d_sorted));
  EXPECT_OK(cudaFree(d_workspace));
}

int main() {
  for (int n : kSizes) Sorts(n);
  return Failures();
}
