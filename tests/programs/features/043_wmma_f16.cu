// Tensor cores by warps: 16 x 16 tiles of half-precision matrices multiplied into float. The elements are small
// integers, so that every order of summing gives the same.
#include <cuda_fp16.h>
#include <mma.h>

#include "feature.h"
namespace wmma = nvcuda::wmma;

constexpr int kM = 32, kN = 48, kK = 64;

__global__ void Multiply(const half* a, const half* b, float* c) {
  const int row = blockIdx.y * 16, column = blockIdx.x * 16;
  wmma::fragment<wmma::matrix_a, 16, 16, 16, half, wmma::row_major> a_tile;
  wmma::fragment<wmma::matrix_b, 16, 16, 16, half, wmma::col_major> b_tile;
  wmma::fragment<wmma::accumulator, 16, 16, 16, float> sum;
  wmma::fill_fragment(sum, 0.0f);
  for (int k = 0; k < kK; k += 16) {
    wmma::load_matrix_sync(a_tile, a + row * kK + k, kK);
    wmma::load_matrix_sync(b_tile, b + column * kK + k, kK);
    wmma::mma_sync(sum, a_tile, b_tile, sum);
  }
  for (int i = 0; i < sum.num_elements; ++i) sum.x[i] = 2.0f * sum.x[i];
  wmma::store_matrix_sync(c + row * kN + column, sum, kN, wmma::mem_row_major);
}

int main() {
  static half a[kM * kK], b[kN * kK];
  static float got[kM * kN], want[kM * kN];
  for (int i = 0; i < kM * kK; ++i) a[i] = __float2half(static_cast<int>(Mix(i) % 17) - 8);
  for (int i = 0; i < kN * kK; ++i) b[i] = __float2half(static_cast<int>(Mix(i + 99999) % 17) - 8);
  for (int m = 0; m < kM; ++m) {
    for (int n = 0; n < kN; ++n) {
      float sum = 0;
      for (int k = 0; k < kK; ++k) sum += __half2float(a[m * kK + k]) * __half2float(b[n * kK + k]);
      want[m * kN + n] = 2 * sum;
    }
  }
  DeviceArray<half> d_a(a, kM * kK), d_b(b, kN * kK);
  DeviceArray<float> d_c(kM * kN);
  Multiply<<<dim3(kN / 16, kM / 16), 32>>>(d_a, d_b, d_c);
  FINISH();
  d_c.CopyTo(got);
  ExpectSame("c", got, want, kM * kN);
  Out(got, sizeof got);
  return Verdict();
}
