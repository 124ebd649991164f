// lab9 v4: open. As near to reading the matrix once as you can, however long the rows are.
//
// The weaknesses of v3: one group has to add up a row of any length, so the longest row decides when the kernel ends.
// And all groups have the same size, which suits neither the short rows nor the long ones.
// BEGIN SOLUTION
//
// Here every block has the same number of nonzeros, a tile, wherever rows begin and end:
//
//      d_offsets  0 2 2 3 6 6           nonzeros    0  1  2  3  4  5
//                                       rows        0  0  2  3  3  3
//      tiles of 4 nonzeros              blocks      0  0  0  0  1  1         both have a part of row 3
//
// 1. A block multiplies its nonzeros side by side, whatever rows they belong to, and puts the products into shared
//    memory. Meanwhile two warps search for the rows of the first and of the last nonzero.
// 2. Then the block adds up the rows of the tile: a thread adds up a short row, a warp a long one.
// 3. A row that lies in one tile is stored. The parts of a row that lies in several tiles are added with atomics.
//
// A row of a million nonzeros has many blocks. Empty rows are set to 0 before, and a tile with very many of them does
// not look at them all.
//
// ELSE STARTER
//| //
//| // Only the contract is given here. Use any kernels, as many as you like, with any blocks.
// END SOLUTION
#include "labs/lab9/lab9.h"
// BEGIN SOLUTION

constexpr int kThreads = 128;
constexpr int kItems = 8;                 // nonzeros of a thread
constexpr int kTile = kThreads * kItems;  // nonzeros of a block
constexpr int kLongest = 64;              // nonzeros of a row that a single thread adds up
constexpr int kMostRows = 16 * kTile;     // rows that a block looks at one by one
static_assert(kThreads % 32 == 0 && kThreads >= 64, "whole warps, two of which search");

// The row of nonzero k: as many rows end before k or at it. REQUIRES: all 32 lanes call it with the same k. In each
// step, the lanes look at the ends of 32 rows.
__device__ int WarpRowOf(const int* d_offsets, int rows, int k) {
  const int lane = threadIdx.x % 32;
  int low = 0, high = rows;  // the answer is between them
  while (low < high) {
    const int step = (high - low + 31) / 32;
    const int row = low + (lane + 1) * step - 1;
    const bool ends_before = row < high && d_offsets[row + 1] <= k;
    const int lanes = __popc(__ballot_sync(0xffffffffu, ends_before));  // the first ones: offsets do not descend
    low += lanes * step;
    high = min(high, low + step - 1);
  }
  return low;
}

// The same for one thread, which takes some twenty steps.
__device__ int RowOf(const int* d_offsets, int rows, int k) {
  int low = 0, high = rows;
  while (low < high) {
    const int middle = low + (high - low) / 2;
    if (d_offsets[middle + 1] <= k) {
      low = middle + 1;
    } else {
      high = middle;
    }
  }
  return low;
}

// The sum over all lanes. REQUIRES: all 32 lanes call it.
__device__ float WarpSum(float sum) {
  for (int offset = 16; offset > 0; offset /= 2) sum += __shfl_xor_sync(0xffffffffu, sum, offset);
  return sum;
}

// The sum of the products begin ... end - 1, which are others in each lane. REQUIRES: all 32 lanes call it.
__device__ float RowSum(const float* products, int begin, int end) {
  const int lane = threadIdx.x % 32;
  const bool is_long = end - begin > kLongest;
  float sum = 0;
  if (!is_long) {
    for (int i = begin; i < end; ++i) sum += products[i];
  }
  // All lanes help each lane that has a long row, one after the other.
  for (unsigned lanes = __ballot_sync(0xffffffffu, is_long); lanes != 0; lanes &= lanes - 1) {
    const int helped = __ffs(lanes) - 1;
    const int first = __shfl_sync(0xffffffffu, begin, helped), last = __shfl_sync(0xffffffffu, end, helped);
    float part = 0;
    for (int i = first + lane; i < last; i += 32) part += products[i];
    part = WarpSum(part);
    if (lane == helped) sum = part;
  }
  return sum;
}

// The nonzeros of one thread: number threadIdx.x of the tile, threadIdx.x + kThreads, and so on.
struct Nonzeros {
  int column[kItems];
  float value[kItems];
};

// A tile that is full needs no tests. Then all loads are under way before the first one is used.
template <bool kIsFull>
__device__ void Load(const int* d_columns, const float* d_values, int count, Nonzeros* mine) {
#pragma unroll
  for (int j = 0; j < kItems; ++j) {
    const int i = j * kThreads + threadIdx.x;
    mine->column[j] = kIsFull || i < count ? d_columns[i] : 0;
    mine->value[j] = kIsFull || i < count ? d_values[i] : 0;
  }
}

// Turns values into products, which also go into shared memory.
template <bool kIsFull>
__device__ void Multiply(const float* d_x, int count, Nonzeros* mine, float* products) {
#pragma unroll
  for (int j = 0; j < kItems; ++j) {
    const int i = j * kThreads + threadIdx.x;
    if (kIsFull || i < count) products[i] = mine->value[j] *= d_x[mine->column[j]];
  }
}

// REQUIRES: d_y holds zeros.
__global__ void __launch_bounds__(kThreads)
    spmv_v4(const int* __restrict__ d_offsets, const int* __restrict__ d_columns, const float* __restrict__ d_values,
            const float* __restrict__ d_x, float* __restrict__ d_y, int rows, int nonzeros) {
  __shared__ int tile_rows[2];  // of the first nonzero, and of the last
  __shared__ float products[kTile];
  const int tile = blockIdx.x * kTile, count = min(kTile, nonzeros - tile), lane = threadIdx.x % 32;
  const bool is_full = count == kTile;
  Nonzeros mine;
  if (is_full) {
    Load<true>(d_columns + tile, d_values + tile, count, &mine);
  } else {
    Load<false>(d_columns + tile, d_values + tile, count, &mine);
  }
  if (threadIdx.x < 64) {
    const int row = WarpRowOf(d_offsets, rows, threadIdx.x < 32 ? tile : tile + count - 1);
    if (lane == 0) tile_rows[threadIdx.x / 32] = row;
  }
  if (is_full) {
    Multiply<true>(d_x, count, &mine, products);
  } else {
    Multiply<false>(d_x, count, &mine, products);
  }
  __syncthreads();  // products and tile_rows are complete

  const int first_row = tile_rows[0], last_row = tile_rows[1];
  if (first_row == last_row) {
    float sum = 0;
    for (int j = 0; j < kItems; ++j) sum += mine.value[j];
    sum = WarpSum(sum);
    if (lane == 0) atomicAdd(&d_y[first_row], sum);
    return;
  }
  if (last_row - first_row > kMostRows) {
    for (int i = threadIdx.x; i < count; i += kThreads) atomicAdd(&d_y[RowOf(d_offsets, rows, tile + i)], products[i]);
    return;
  }
  // A warp takes 32 rows at a time. All its lanes stay in the loop.
  for (int row = first_row + threadIdx.x; row - lane <= last_row; row += kThreads) {
    const int begin = row <= last_row ? d_offsets[row] - tile : 0,
              end = row <= last_row ? d_offsets[row + 1] - tile : 0;
    const float sum = RowSum(products, max(begin, 0), min(end, count));
    if (begin < 0 || end > count) {
      atomicAdd(&d_y[row], sum);
    } else if (begin < end) {
      d_y[row] = sum;
    }
  }
}
// ELSE STARTER
// END SOLUTION

void spmv(const int* d_offsets, const int* d_columns, const float* d_values, const float* d_x, float* d_y, int rows,
          int columns, int nonzeros, cudaStream_t stream) {
  // BEGIN SOLUTION
  if (rows == 0) return;
  cudaMemsetAsync(d_y, 0, sizeof(float) * rows, stream);
  if (nonzeros == 0) return;
  const int blocks = lab9::DivideUp(nonzeros, kTile);
  spmv_v4<<<blocks, kThreads, 0, stream>>>(d_offsets, d_columns, d_values, d_x, d_y, rows, nonzeros);
  // ELSE STARTER
  //| NOT_WRITTEN_YET();
  //| // TODO(v4) Produce: what v1 to v3 produced, as fast as the matrix can be read, for rows of any lengths.
  //| //   Constraint: no allocation, and all work on `stream`.
  //| //   Hint: give each warp the same number of nonzeros. How does it find the row of its first one? Who writes the
  //| //     sum of a row that several warps have a part of?
  //| //   Check: ./warpgrade check lab9 v4
  // END SOLUTION
}

LAB9_RUNG();
