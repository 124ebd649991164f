// arch: 80
// Tensor cores on tf32: floats whose mantissa is cut to 10 bits, 16 x 16 x 8 at a time.
#include <mma.h>

#include "feature.h"
namespace wmma = nvcuda::wmma;

constexpr int kSize = 32;

__global__ void Multiply(const float* a, const float* b, float* c) {
  const int row = blockIdx.y * 16, column = blockIdx.x * 16;
  wmma::fragment<wmma::matrix_a, 16, 16, 8, wmma::precision::tf32, wmma::row_major> a_tile;
  wmma::fragment<wmma::matrix_b, 16, 16, 8, wmma::precision::tf32, wmma::row_major> b_tile;
  wmma::fragment<wmma::accumulator, 16, 16, 8, float> sum;
  wmma::fill_fragment(sum, 1.0f);
  for (int k = 0; k < kSize; k += 8) {
    wmma::load_matrix_sync(a_tile, a + row * kSize + k, kSize);
    wmma::load_matrix_sync(b_tile, b + k * kSize + column, kSize);
    for (int i = 0; i < a_tile.num_elements; ++i) a_tile.x[i] = wmma::__float_to_tf32(a_tile.x[i]);
    for (int i = 0; i < b_tile.num_elements; ++i) b_tile.x[i] = wmma::__float_to_tf32(b_tile.x[i]);
    wmma::mma_sync(sum, a_tile, b_tile, sum);
  }
  wmma::store_matrix_sync(c + row * kSize + column, sum, kSize, wmma::mem_row_major);
}

int main() {
  constexpr int kCount = kSize * kSize;
  static float a[kCount], b[kCount], got[kCount];
  static double want[kCount];
  for (int i = 0; i < kCount; ++i) {
    a[i] = MixUnit(i) * 2 - 1;
    b[i] = MixUnit(i + kCount) * 2 - 1;
  }
  for (int i = 0; i < kCount; ++i) {
    want[i] = 1;
    for (int k = 0; k < kSize; ++k) want[i] += static_cast<double>(a[i / kSize * kSize + k]) * b[k * kSize + i % kSize];
  }
  DeviceArray<float> d_a(a, kCount), d_b(b, kCount), d_c(kCount);
  Multiply<<<dim3(2, 2), 32>>>(d_a, d_b, d_c);
  FINISH();
  d_c.CopyTo(got);
  // Each factor is off by at most 2^-11 of itself, and there are 32 products of at most one.
  ExpectNear("c", got, want, kCount, 32 * 2.0 / 2048);
  double sum = 0;
  for (float x : got) sum += std::fabs(x);
  Approx(sum);
  return Verdict();
}
