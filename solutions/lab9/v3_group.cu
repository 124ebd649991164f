// lab9 v3: a group of lanes for each row.
//
// The weakness of v2: many matrices have rows of some ten nonzeros. Then most of the 32 lanes have one nonzero or none,
// and a warp spends its time on offsets and shuffles. Here a warp is cut into groups of 2, 4, 8, 16 or 32 lanes. Each
// group has a row of its own. The host chooses the size: each lane of a group should have several nonzeros of its row,
// so that several loads are under way at the same time.
#include "labs/lab9/lab9.h"

constexpr int kThreads = 256;

// kLanes: the size of a group, a power of two from 2 to 32.
template <int kLanes>
__global__ void spmv_v3(const int* d_offsets, const int* d_columns, const float* d_values, const float* d_x, float* d_y,
                        int rows) {
  // BEGIN SOLUTION
  constexpr int kRows = kThreads / kLanes;
  const int row = blockIdx.x * kRows + threadIdx.x / kLanes, lane = threadIdx.x % kLanes;
  float sum = 0;
  if (row < rows) {
    const int end = d_offsets[row + 1];
    for (int k = d_offsets[row] + lane; k < end; k += kLanes) sum += d_values[k] * d_x[d_columns[k]];
  }
  // All 32 lanes meet here, also those without a row. A lane of the lower half of a group gets a number of its own
  // group.
  for (int offset = kLanes / 2; offset > 0; offset /= 2) sum += __shfl_down_sync(0xffffffffu, sum, offset, kLanes);
  if (row < rows && lane == 0) d_y[row] = sum;
  // ELSE STARTER
  //| // TODO(v3) Produce: what v2 produced, with kLanes lanes for each row.
  //| //   Constraint: kLanes is 2, 4, 8, 16 or 32. All lanes that a mask names must execute the shuffle.
  //| //   Hint: __shfl_down_sync has a fourth parameter, the width of a group.
  //| //   Check: ./warpgrade check lab9 v3
  // END SOLUTION
}
// BEGIN SOLUTION

template <int kLanes>
void Launch(const int* d_offsets, const int* d_columns, const float* d_values, const float* d_x, float* d_y, int rows,
            cudaStream_t stream) {
  const int blocks = lab9::DivideUp(rows, kThreads / kLanes);
  spmv_v3<kLanes><<<blocks, kThreads, 0, stream>>>(d_offsets, d_columns, d_values, d_x, d_y, rows);
}
// ELSE STARTER
// END SOLUTION

void spmv(const int* d_offsets, const int* d_columns, const float* d_values, const float* d_x, float* d_y, int rows,
          int columns, int nonzeros, cudaStream_t stream) {
  // BEGIN SOLUTION
  if (rows == 0) return;
  const int mean = nonzeros / rows;
  const auto launch = mean >= 256   ? Launch<32>
                      : mean >= 128 ? Launch<16>
                      : mean >= 64  ? Launch<8>
                      : mean >= 32  ? Launch<4>
                                    : Launch<2>;
  launch(d_offsets, d_columns, d_values, d_x, d_y, rows, stream);
  // ELSE STARTER
  //| NOT_WRITTEN_YET();
  //| // TODO(v3) Produce: a launch of spmv_v3<kLanes> on `stream`, with a kLanes that suits the matrix.
  //| //   Constraint: choose by the mean number of nonzeros of a row.
  //| //   Hint: kLanes must be a constant, so there is a launch for each value. How many nonzeros should a lane have?
  //| //   Check: ./warpgrade check lab9 v3
  //| spmv_v3<32><<<1, kThreads, 0, stream>>>(d_offsets, d_columns, d_values, d_x, d_y, rows);
  // END SOLUTION
}

LAB9_RUNG();
