// A wrong answer to lab4 v2, for tests/course: as many bytes are copied as the mask has elements.
#include "labs/lab4/lab4.h"

constexpr int kBlock = 256;  // threads, and elements of d_out, of a block

__constant__ float c_mask[lab4::kMaxWidth];

__global__ void convolve_v2(const float* d_in, float* d_out, size_t n, int mask_width) {
  const size_t i = size_t{blockIdx.x} * kBlock + threadIdx.x;
  if (i >= n) return;
  const int radius = mask_width / 2;
  float sum = 0;
  for (int j = 0; j < mask_width; ++j) {
    const size_t at = i + radius - j;  // before the first element it wraps around, to more than any n
    if (at < n) sum += c_mask[j] * d_in[at];
  }
  d_out[i] = sum;
}

void convolve_1d(const float* d_in, const float* d_mask, float* d_out, size_t n, int mask_width, cudaStream_t stream) {
  if (n == 0) return;
  // A kernel cannot write to constant memory; a copy can. On the same stream it is done before the kernel starts.
  cudaMemcpyToSymbolAsync(c_mask, d_mask, mask_width, 0, cudaMemcpyDeviceToDevice, stream);
  const auto blocks = static_cast<unsigned>((n + kBlock - 1) / kBlock);
  convolve_v2<<<blocks, kBlock, 0, stream>>>(d_in, d_out, n, mask_width);
}

LAB4_LINE_RUNG();
