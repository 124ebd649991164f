// A dot product: a grid-stride loop, a tree in shared memory, and an atomic addition of doubles.
#include "feature.h"

__global__ void Dot(const float* a, const float* b, double* sum, int n) {
  __shared__ double tile[128];
  double own = 0;
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
    own += static_cast<double>(a[i]) * b[i];
  }
  tile[threadIdx.x] = own;
  for (int half = blockDim.x / 2; half > 0; half /= 2) {
    __syncthreads();
    if (threadIdx.x < half) tile[threadIdx.x] += tile[threadIdx.x + half];
  }
  if (threadIdx.x == 0) atomicAdd(sum, tile[0]);
}

int main() {
  constexpr int kCount = 33333;
  static float a[kCount], b[kCount];
  double want = 0, got = 0;
  for (int i = 0; i < kCount; ++i) {
    // Multiples of 2^-12: every partial sum is exact in double, whatever the order.
    a[i] = static_cast<float>(Mix(i) % 4096) / 4096 - 0.5f;
    b[i] = static_cast<float>(Mix(i + kCount) % 4096) / 4096 - 0.5f;
    want += static_cast<double>(a[i]) * b[i];
  }
  DeviceArray<float> d_a(a, kCount), d_b(b, kCount);
  DeviceArray<double> sum(1);
  sum.Fill(0);
  Dot<<<10, 128>>>(d_a, d_b, sum, kCount);
  FINISH();
  sum.CopyTo(&got);
  ExpectSame("sum", &got, &want, 1);
  Out(&got, sizeof got);
  return Verdict();
}
