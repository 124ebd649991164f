// Three phases over the whole grid, each reading what other blocks wrote in the one before.
#include <cooperative_groups.h>

#include "program.h"

__global__ void Waves(int* a, int* b, int n) {
  const cooperative_groups::grid_group grid = cooperative_groups::this_grid();
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  a[i] = i;
  for (int step = 1; step <= 3; ++step) {
    grid.sync();
    b[i] = a[(i + 128) % n] + step;
    grid.sync();
    a[i] = b[(i + n - 64) % n];
  }
}

int main() {
  constexpr int kBlocks = 4, kCount = kBlocks * 128;
  DeviceArray<int> a(kCount), b(kCount);
  int *pa = a, *pb = b, n = kCount;
  void* arguments[] = {&pa, &pb, &n};
  CHECK(cudaLaunchCooperativeKernel(reinterpret_cast<void*>(Waves), kBlocks, 128, arguments));
  FINISH();
  static int got[kCount];
  a.CopyTo(got);
  for (int i = 0; i < kCount; ++i) EXPECT(got[i] == (i + 3 * 64) % kCount + 6);
  PrintOut(got, sizeof got);
  return 0;
}
