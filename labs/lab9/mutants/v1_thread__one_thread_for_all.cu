// A wrong answer to lab9 v1, for tests/course: one thread does everything.
#include "labs/lab9/lab9.h"
__global__ void k(const int* o, const int* c, const float* v, const float* x, float* y, int rows) {
  for (int r = 0; r < rows; ++r) {
    float sum = 0;
    for (int i = o[r]; i < o[r + 1]; ++i) sum += v[i] * x[c[i]];
    y[r] = sum;
  }
}
void spmv(const int* d_offsets, const int* d_columns, const float* d_values, const float* d_x, float* d_y, int rows,
          int columns, int nonzeros, cudaStream_t stream) {
  if (rows != 0) k<<<1, 1, 0, stream>>>(d_offsets, d_columns, d_values, d_x, d_y, rows);
}
LAB9_RUNG();
