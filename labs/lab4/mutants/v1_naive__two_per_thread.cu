// A wrong answer to lab4 v1, for tests/course: half as many threads, each with two elements.
#include "labs/lab4/lab4.h"

constexpr int kBlock = 256;  // threads, and elements of d_out, of a block

__global__ void convolve_v1(const float* d_in, const float* d_mask, float* d_out, size_t n, int mask_width) {
  const int radius = mask_width / 2;
  for (int k = 0; k < 2; ++k) {
    const size_t i = (size_t{blockIdx.x} * 2 + k) * kBlock + threadIdx.x;
    if (i >= n) return;
    float sum = 0;
    for (int j = 0; j < mask_width; ++j) {
      const size_t at = i + j - radius;  // before the first element it wraps around, to more than any n
      if (at < n) sum += d_mask[j] * d_in[at];
    }
    d_out[i] = sum;
  }
}

void convolve_1d(const float* d_in, const float* d_mask, float* d_out, size_t n, int mask_width, cudaStream_t stream) {
  if (n == 0) return;
  const auto blocks = static_cast<unsigned>((n + 2 * kBlock - 1) / (2 * kBlock));
  convolve_v1<<<blocks, kBlock, 0, stream>>>(d_in, d_mask, d_out, n, mask_width);
}

LAB4_LINE_RUNG();
