// A cooperative kernel that clears an array and then counts into it, with no grid barrier between.
// expect: global-race at FAULT with OTHER
#include <cooperative_groups.h>

#include "program.h"

__global__ void Histogram(const int* values, int* bins) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < 64) bins[i] = 0;  // OTHER
  cooperative_groups::this_thread_block().sync();
  atomicAdd(&bins[values[i] & 63], 1);  // FAULT
}

int main() {
  constexpr int kCount = 512;
  static int host[kCount];
  for (int i = 0; i < kCount; ++i) host[i] = 7 * i;
  DeviceArray<int> values(kCount), bins(64);
  values.CopyFrom(host);
  const int* in = values;
  int* out = bins;
  void* arguments[] = {&in, &out};
  CHECK(cudaLaunchCooperativeKernel(reinterpret_cast<void*>(Histogram), 4, 128, arguments));
  FINISH();
  return 0;
}
