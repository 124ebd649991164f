// A wrong answer to lab6 v1, for tests/course: d_out and d_work are swapped when the number of steps is even.
#include "labs/lab6/lab6.h"

constexpr int kBlockColumns = 32;  // a block has kBlockRows x kBlockColumns elements, one thread each
constexpr int kBlockRows = 8;

// One step, from d_in to d_out. kPoints is 5 or 9.
template <int kPoints>
__global__ void stencil_v1(const float* d_in, float* d_out, size_t rows, size_t columns, lab6::Weights weights) {
  // Blocks are numbered along x alone, which has room for them all: row of blocks by row of blocks.
  const size_t blocks_across = (columns + kBlockColumns - 1) / kBlockColumns;
  const size_t row = blockIdx.x / blocks_across * kBlockRows + threadIdx.y;
  const size_t column = blockIdx.x % blocks_across * kBlockColumns + threadIdx.x;
  if (row >= rows || column >= columns) return;
  const size_t here = row * columns + column;
  if (row == 0 || row == rows - 1 || column == 0 || column == columns - 1) {
    d_out[here] = d_in[here];  // the ring keeps its values
    return;
  }
  float sum = 0;
  for (int i = 0; i < 3; ++i) {
    const float* const from = d_in + here + i * columns - columns - 1;  // the three neighbours in row + i - 1
    for (int j = 0; j < 3; ++j) {
      if (kPoints == 5 && i != 1 && j != 1) continue;  // a corner
      sum += weights.at[i][j] * from[j];
    }
  }
  d_out[here] = sum;
}

void stencil(const float* d_in, float* d_out, float* d_work, size_t rows, size_t columns, int points,
             lab6::Weights weights, int steps, cudaStream_t stream) {
  if (rows == 0 || columns == 0) return;
  if (steps == 0) cudaMemcpyAsync(d_out, d_in, rows * columns * sizeof(float), cudaMemcpyDeviceToDevice, stream);
  const dim3 block(kBlockColumns, kBlockRows);
  const dim3 grid(static_cast<unsigned>(lab6::DivideUp(rows, kBlockRows) * lab6::DivideUp(columns, kBlockColumns)));
  const float* from = d_in;
  for (int step = 0; step < steps; ++step) {
    // d_out and d_work in turn, so that the last step writes to d_out.
    float* const to = step % 2 == 0 ? d_out : d_work;
    if (points == 5) {
      stencil_v1<5><<<grid, block, 0, stream>>>(from, to, rows, columns, weights);
    } else {
      stencil_v1<9><<<grid, block, 0, stream>>>(from, to, rows, columns, weights);
    }
    from = to;
  }
}

LAB6_RUNG();
