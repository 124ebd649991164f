// A wrong answer to lab4 v7, for tests/course: one element for each thread.
#include "labs/lab4/lab4.h"

constexpr int kBlock = 256;  // threads, elements of d_out, and elements of the tile, of a block

__constant__ float c_mask[lab4::kMaxWidth];

__global__ void convolve_v3(const float* d_in, float* d_out, size_t n, int mask_width) {
  __shared__ float tile[kBlock];
  const size_t first = size_t{blockIdx.x} * kBlock;  // element of d_in at the start of the tile
  const size_t i = first + threadIdx.x;
  if (i < n) tile[threadIdx.x] = d_in[i];
  __syncthreads();  // the tile is complete before anyone reads it; threads past n take part
  if (i >= n) return;

  const int radius = mask_width / 2;
  float sum = 0;
  for (int j = 0; j < mask_width; ++j) {
    const size_t at = i + radius - j;
    if (at >= n) continue;              // a ghost
    const size_t in_tile = at - first;  // before the tile it wraps around, to more than kBlock
    sum += c_mask[j] * (in_tile < kBlock ? tile[in_tile] : d_in[at]);
  }
  d_out[i] = sum;
}

void convolve_1d(const float* d_in, const float* d_mask, float* d_out, size_t n, int mask_width, cudaStream_t stream) {
  if (n == 0) return;
  cudaMemcpyToSymbolAsync(c_mask, d_mask, mask_width * sizeof(float), 0, cudaMemcpyDeviceToDevice, stream);
  const auto blocks = static_cast<unsigned>((n + kBlock - 1) / kBlock);
  convolve_v3<<<blocks, kBlock, 0, stream>>>(d_in, d_out, n, mask_width);
}

LAB4_LINE_RUNG();
