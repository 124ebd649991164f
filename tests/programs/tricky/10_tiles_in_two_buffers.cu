// While one tile is used the next is loaded into the other buffer: one barrier per tile.
#include "program.h"

__global__ void Multiply(const int* matrix, const int* x, int* y, int n) {
  __shared__ int tile[2][64];
  const int t = threadIdx.x;
  tile[0][t] = x[t];
  __syncthreads();
  int sum = 0;
  for (int k = 0, now = 0; k < n; k += 64, now ^= 1) {
    if (k + 64 < n) tile[now ^ 1][t] = x[k + 64 + t];
    for (int j = 0; j < 64; ++j) sum += matrix[t * n + k + j] * tile[now][j];
    __syncthreads();
  }
  y[t] = sum;
}

int main() {
  constexpr int kColumns = 256;
  static int matrix[64 * kColumns], x[kColumns];
  int got[64];
  for (int i = 0; i < 64 * kColumns; ++i) matrix[i] = i % 7 - 3;
  for (int i = 0; i < kColumns; ++i) x[i] = i % 11;
  DeviceArray<int> d_matrix(64 * kColumns), d_x(kColumns), d_y(64);
  d_matrix.CopyFrom(matrix);
  d_x.CopyFrom(x);
  Multiply<<<1, 64>>>(d_matrix, d_x, d_y, kColumns);
  FINISH();
  d_y.CopyTo(got);
  for (int r = 0; r < 64; ++r) {
    int want = 0;
    for (int c = 0; c < kColumns; ++c) want += matrix[r * kColumns + c] * x[c];
    EXPECT(got[r] == want);
  }
  PrintOut(got, sizeof got);
  return 0;
}
