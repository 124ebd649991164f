// A thread for each row (v1's idea), with loads of 16 bytes.
#include "labs/lab9/lab9.h"
constexpr int kThreads = 256;
__global__ void k(const int* d_offsets, const int* __restrict__ d_columns, const float* __restrict__ d_values,
                  const float* __restrict__ d_x, float* d_y, int rows) {
  const int row = blockIdx.x * kThreads + threadIdx.x;
  if (row >= rows) return;
  const int end = d_offsets[row + 1];
  int i = d_offsets[row];
  float sum = 0;
  for (; i < end && i % 4 != 0; ++i) sum += d_values[i] * d_x[d_columns[i]];
  for (; i + 4 <= end; i += 4) {
    const int4 c = *reinterpret_cast<const int4*>(d_columns + i);
    const float4 v = *reinterpret_cast<const float4*>(d_values + i);
    sum += v.x * d_x[c.x] + v.y * d_x[c.y] + v.z * d_x[c.z] + v.w * d_x[c.w];
  }
  for (; i < end; ++i) sum += d_values[i] * d_x[d_columns[i]];
  d_y[row] = sum;
}
void spmv(const int* d_offsets, const int* d_columns, const float* d_values, const float* d_x, float* d_y, int rows,
          int columns, int nonzeros, cudaStream_t stream) {
  if (rows == 0) return;
  k<<<lab9::DivideUp(rows, kThreads), kThreads, 0, stream>>>(d_offsets, d_columns, d_values, d_x, d_y, rows);
}
LAB9_RUNG();
