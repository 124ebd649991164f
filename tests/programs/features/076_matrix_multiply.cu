// Tiled matrix multiplication through shared memory, with rectangular matrices whose sides are no multiples of the
// tile.
#include "feature.h"

constexpr int kTile = 16;

__global__ void Multiply(const float* a, const float* b, float* c, int m, int n, int k) {
  __shared__ float a_tile[kTile][kTile], b_tile[kTile][kTile];
  const int row = blockIdx.y * kTile + threadIdx.y, column = blockIdx.x * kTile + threadIdx.x;
  float sum = 0;
  for (int start = 0; start < k; start += kTile) {
    const int ka = start + threadIdx.x, kb = start + threadIdx.y;
    a_tile[threadIdx.y][threadIdx.x] = row < m && ka < k ? a[row * k + ka] : 0.0f;
    b_tile[threadIdx.y][threadIdx.x] = kb < k && column < n ? b[kb * n + column] : 0.0f;
    __syncthreads();
    for (int i = 0; i < kTile; ++i) sum = __fmaf_rn(a_tile[threadIdx.y][i], b_tile[i][threadIdx.x], sum);
    __syncthreads();
  }
  if (row < m && column < n) c[row * n + column] = sum;
}

int main() {
  constexpr int kM = 70, kN = 45, kK = 83;
  static float a[kM * kK], b[kK * kN], got[kM * kN], want[kM * kN];
  for (int i = 0; i < kM * kK; ++i) a[i] = MixUnit(i) - 0.5f;
  for (int i = 0; i < kK * kN; ++i) b[i] = MixUnit(i + 31337) - 0.5f;
  for (int i = 0; i < kM; ++i) {
    for (int j = 0; j < kN; ++j) {
      float sum = 0;  // in the kernel's order, so that every bit agrees
      for (int k = 0; k < kK; ++k) sum = std::fma(a[i * kK + k], b[k * kN + j], sum);
      want[i * kN + j] = sum;
    }
  }
  DeviceArray<float> d_a(a, kM * kK), d_b(b, kK * kN), d_c(kM * kN);
  Multiply<<<dim3((kN + kTile - 1) / kTile, (kM + kTile - 1) / kTile), dim3(kTile, kTile)>>>(d_a, d_b, d_c, kM, kN, kK);
  FINISH();
  d_c.CopyTo(got);
  ExpectSame("c", got, want, kM * kN);
  Out(got, sizeof got);
  return Verdict();
}
