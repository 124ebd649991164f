// A cooperative launch: all blocks wait for each other between the steps of a relaxation, without a second kernel.
#include <cooperative_groups.h>

#include "feature.h"
namespace cg = cooperative_groups;

__global__ void Relax(int* a, int* b, int n, int steps) {
  const cg::grid_group grid = cg::this_grid();
  for (int step = 0; step < steps; ++step) {
    for (int i = grid.thread_rank(); i < n; i += grid.size()) {
      const int left = i > 0 ? a[i - 1] : 0, right = i < n - 1 ? a[i + 1] : 0;
      b[i] = (left + 2 * a[i] + right) / 4;
    }
    grid.sync();
    int* swapped = a;
    a = b;
    b = swapped;
  }
}

int main() {
  constexpr int kCount = 2000, kSteps = 7;
  static int got[kCount], now[kCount], next[kCount];
  for (int i = 0; i < kCount; ++i) now[i] = Mix(i) % 100000;
  int cooperative = 0;
  CHECK(cudaDeviceGetAttribute(&cooperative, cudaDevAttrCooperativeLaunch, 0));
  Expect(cooperative == 1, "the device launches cooperatively");
  DeviceArray<int> d_a(now, kCount), d_b(kCount);
  int *a = d_a, *b = d_b, n = kCount, steps = kSteps;
  void* arguments[] = {&a, &b, &n, &steps};
  CHECK(cudaLaunchCooperativeKernel(Relax, dim3(6), dim3(128), arguments, 0, 0));
  FINISH();
  d_b.CopyTo(got);  // an odd number of steps ends in b
  for (int step = 0; step < kSteps; ++step) {
    for (int i = 0; i < kCount; ++i) {
      next[i] = ((i > 0 ? now[i - 1] : 0) + 2 * now[i] + (i < kCount - 1 ? now[i + 1] : 0)) / 4;
    }
    std::memcpy(now, next, sizeof now);
  }
  ExpectSame("b", got, now, kCount);
  Out(got, sizeof got);
  return Verdict();
}
