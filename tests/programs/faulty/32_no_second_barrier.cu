// A loop over tiles with one barrier, after the tile is loaded: a fast warp loads the next tile while a slow one still
// reads this one.
// expect: shared-race at FAULT with OTHER
#include "program.h"

__global__ void DotRows(const float* a, const float* x, float* y, int n) {
  __shared__ float tile[64];
  const int t = threadIdx.x;
  float sum = 0;
  for (int k = 0; k < n; k += 64) {
    tile[t] = x[k + t];  // FAULT
    __syncthreads();
    for (int j = 0; j < 64; ++j) {
      sum += a[t * n + k + j] * tile[j];  // OTHER
    }
  }
  y[t] = sum;
}

int main() {
  constexpr int kColumns = 192;
  DeviceArray<float> a(64 * kColumns), x(kColumns), y(64);
  a.Fill(0);
  x.Fill(0);
  DotRows<<<1, 64>>>(a, x, y, kColumns);
  FINISH();
  return 0;
}
