// A separable convolution: rows then columns, the weights in constant memory, each tile with its halo in shared memory.
#include "feature.h"

constexpr int kRadius = 3, kThreads = 64;
__constant__ float weights[2 * kRadius + 1] = {0.0625f, 0.125f, 0.1875f, 0.25f, 0.1875f, 0.125f, 0.0625f};

// Along a line of `n` elements `stride` apart; line `blockIdx.y` starts at `blockIdx.y * line_stride`.
__global__ void Convolve(const float* in, float* out, int n, int stride, int line_stride) {
  __shared__ float tile[kThreads + 2 * kRadius];
  const int start = blockIdx.x * kThreads - kRadius, line = blockIdx.y * line_stride;
  for (int t = threadIdx.x; t < kThreads + 2 * kRadius; t += kThreads) {
    const int i = start + t;
    tile[t] = i >= 0 && i < n ? in[line + i * stride] : 0.0f;
  }
  __syncthreads();
  const int i = blockIdx.x * kThreads + threadIdx.x;
  float sum = 0;
  for (int k = 0; k <= 2 * kRadius; ++k) sum = __fmaf_rn(weights[k], tile[threadIdx.x + k], sum);
  if (i < n) out[line + i * stride] = sum;
}

int main() {
  constexpr int kWidth = 150, kHeight = 90, kCount = kWidth * kHeight;
  static float in[kCount], got[kCount], rows[kCount], want[kCount];
  const float host_weights[7] = {0.0625f, 0.125f, 0.1875f, 0.25f, 0.1875f, 0.125f, 0.0625f};
  for (int i = 0; i < kCount; ++i) in[i] = MixUnit(i);
  for (int i = 0; i < kCount; ++i) {
    for (int k = -kRadius; k <= kRadius; ++k) {
      const int x = i % kWidth + k;
      rows[i] = std::fma(host_weights[k + kRadius], x >= 0 && x < kWidth ? in[i + k] : 0.0f, rows[i]);
    }
  }
  for (int i = 0; i < kCount; ++i) {
    for (int k = -kRadius; k <= kRadius; ++k) {
      const int y = i / kWidth + k;
      want[i] = std::fma(host_weights[k + kRadius], y >= 0 && y < kHeight ? rows[i + k * kWidth] : 0.0f, want[i]);
    }
  }
  DeviceArray<float> d_in(in, kCount), d_rows(kCount), d_out(kCount);
  Convolve<<<dim3((kWidth + kThreads - 1) / kThreads, kHeight), kThreads>>>(d_in, d_rows, kWidth, 1, kWidth);
  Convolve<<<dim3((kHeight + kThreads - 1) / kThreads, kWidth), kThreads>>>(d_rows, d_out, kHeight, kWidth, 1);
  FINISH();
  d_out.CopyTo(got);
  ExpectSame("out", got, want, kCount);
  Out(got, sizeof got);
  return Verdict();
}
