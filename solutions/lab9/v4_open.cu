// lab9 v4: open. As near to reading the matrix once as you can, however long the rows are.
//
// The weaknesses of v3: one group has to add up a row of any length, so the longest row decides when the kernel ends.
// All groups have the same size, so it suits neither the short rows nor the long ones. And each lane asks for few bytes
// before it waits for them.
// BEGIN SOLUTION
// Here the work is one list of items, and every thread gets the same number of them. An item is a nonzero (add its
// product) or the end of a row (store the sum). The end of row r comes after the nonzeros of rows 0 ... r, and after
// the ends of r rows, so it is item number d_offsets[r + 1] + r:
//
//      d_offsets  0 2 2 3 6            item      0  1  2  3  4  5  6  7  8  9
//                                                a  b  |  |  c  |  d  e  f  |      a ... f nonzeros, | end of a row
//      thread of 4 items               thread    0  0  0  0  1  1  1  1  2  2
//
// A search in d_offsets finds where the items of a block begin, and a search in shared memory does it for a thread. A
// row of a million nonzeros has many threads, and a thread can end many empty rows. This is the merge path of Merrill
// and Garland (Merge-based Parallel Sparse Matrix-Vector Multiplication, SC 2016). ELSE STARTER
//| //
//| // Only the contract is given here. Use any kernels, as many as you like, with any blocks.
// END SOLUTION
#include "labs/lab9/lab9.h"
// BEGIN SOLUTION

constexpr int kThreads = 256;
constexpr int kItems = 8;                 // of a thread
constexpr int kTile = kThreads * kItems;  // items of a block
constexpr int kWarps = kThreads / 32;

// How many rows end before item `item`. REQUIRES: all 32 lanes call it. In each step, 32 lanes look at 32 rows.
__device__ int RowsBefore(const int* d_offsets, int rows, int item) {
  const int lane = threadIdx.x % 32;
  int low = 0, high = rows;  // the answer is between them
  while (low < high) {
    const int step = (high - low + 31) / 32;
    const int row = low + (lane + 1) * step - 1;
    const bool is_before = row < high && d_offsets[row + 1] + row < item;
    const int lanes = __popc(__ballot_sync(0xffffffffu, is_before));  // the first ones, because offsets do not descend
    low += lanes * step;
    high = min(high, low + step - 1);
  }
  return low;
}

// What the items of a thread, or of several neighbours, leave behind for those after them: the sum since the last end
// of a row, and whether there was such an end.
struct Rest {
  float sum;
  bool has_end;
};

// What a sum after `second` begins with, if `first` comes before `second`.
__device__ Rest Join(Rest first, Rest second) {
  return {second.has_end ? second.sum : first.sum + second.sum, first.has_end || second.has_end};
}

// The sum that the threads before this one leave to it. `block`: what all threads of the block leave. REQUIRES: all
// threads of the block call it.
__device__ float SumBefore(Rest mine, Rest* block) {
  __shared__ float sums[kWarps];
  __shared__ bool ends[kWarps];
  const int lane = threadIdx.x % 32, warp = threadIdx.x / 32;
  for (int offset = 1; offset < 32; offset *= 2) {
    const Rest other = {__shfl_up_sync(0xffffffffu, mine.sum, offset),
                        __shfl_up_sync(0xffffffffu, int{mine.has_end}, offset) != 0};
    if (lane >= offset) mine = Join(other, mine);
  }
  if (lane == 31) {
    sums[warp] = mine.sum;
    ends[warp] = mine.has_end;
  }
  Rest before = {__shfl_up_sync(0xffffffffu, mine.sum, 1), __shfl_up_sync(0xffffffffu, int{mine.has_end}, 1) != 0};
  if (lane == 0) before = {0, false};
  __syncthreads();  // the rest of every warp is there
  Rest all = {0, false}, warps_before = {0, false};
  for (int w = 0; w < kWarps; ++w) {
    if (w == warp) warps_before = all;
    all = Join(all, {sums[w], ends[w]});
  }
  *block = all;
  return Join(warps_before, before).sum;
}

// The items of a block.
struct Tile {
  int first_row, ends;          // rows that end here begin with first_row, or before the tile
  int first_nonzero, nonzeros;  // nonzeros that stand here
};

// Multiplies the nonzeros of the tile. row_ends[r]: the end of the tile's row r, counted from first_nonzero.
__device__ void Load(const int* __restrict__ d_offsets, const int* __restrict__ d_columns,
                     const float* __restrict__ d_values, const float* __restrict__ d_x, Tile tile, float* products,
                     int* row_ends) {
  // All loads of the matrix are under way before the first one is used.
  int column[kItems];
  float value[kItems];
#pragma unroll
  for (int j = 0; j < kItems; ++j) {
    const int i = j * kThreads + threadIdx.x;
    column[j] = i < tile.nonzeros ? d_columns[tile.first_nonzero + i] : 0;
    value[j] = i < tile.nonzeros ? d_values[tile.first_nonzero + i] : 0;
  }
  for (int i = threadIdx.x; i < tile.ends; i += kThreads) {
    row_ends[i] = d_offsets[tile.first_row + i + 1] - tile.first_nonzero;
  }
#pragma unroll
  for (int j = 0; j < kItems; ++j) {
    const int i = j * kThreads + threadIdx.x;
    if (i < tile.nonzeros) products[i] = value[j] * d_x[column[j]];
  }
}

// How many of the `ends` rows of a tile end before item `item` of the tile.
__device__ int RowsBeforeInTile(const int* row_ends, int ends, int item) {
  int low = 0, high = min(item, ends);
  while (low < high) {
    const int middle = (low + high) / 2;
    if (row_ends[middle] + middle < item) {
      low = middle + 1;
    } else {
      high = middle;
    }
  }
  return low;
}

// REQUIRES: d_y holds zeros.
__global__ void __launch_bounds__(kThreads)
    spmv_v4(const int* __restrict__ d_offsets, const int* __restrict__ d_columns, const float* __restrict__ d_values,
            const float* __restrict__ d_x, float* __restrict__ d_y, int rows, int nonzeros) {
  __shared__ int first_rows[2];  // of this tile and of the next one
  __shared__ float products[kTile];
  __shared__ int row_ends[kTile];
  const int first_item = blockIdx.x * kTile, items = min(kTile, rows + nonzeros - first_item);
  if (threadIdx.x < 64) {
    const int which = threadIdx.x / 32;
    first_rows[which] = RowsBefore(d_offsets, rows, first_item + which * items);
  }
  __syncthreads();  // the searches are done
  const int first_row = first_rows[0], ends = first_rows[1] - first_row;
  const Tile tile = {first_row, ends, first_item - first_row, items - ends};
  Load(d_offsets, d_columns, d_values, d_x, tile, products, row_ends);
  __syncthreads();  // products and row_ends are complete

  const int begin = min(static_cast<int>(threadIdx.x) * kItems, items), end = min(begin + kItems, items);
  int row = RowsBeforeInTile(row_ends, ends, begin), nonzero = begin - row;
  // Until its first end of a row, the thread does not know what the threads before it have of this row.
  int first_end = -1;
  float sum = 0, first_sum = 0;
  for (int item = begin; item < end; ++item) {
    if (row == ends || nonzero < row_ends[row]) {
      sum += products[nonzero++];
      continue;
    }
    if (first_end < 0) {
      first_end = row;
      first_sum = sum;
    } else {
      d_y[first_row + row] = sum;
    }
    ++row;
    sum = 0;
  }
  Rest block;
  const float before = SumBefore({sum, first_end >= 0}, &block);
  // Other blocks may have a part of the first row and of the row after the last end, so these are added up.
  if (first_end == 0) atomicAdd(&d_y[first_row], before + first_sum);
  if (first_end > 0) d_y[first_row + first_end] = before + first_sum;
  if (threadIdx.x == 0 && first_row + ends < rows) atomicAdd(&d_y[first_row + ends], block.sum);
}
// ELSE STARTER
// END SOLUTION

void spmv(const int* d_offsets, const int* d_columns, const float* d_values, const float* d_x, float* d_y, int rows,
          int columns, int nonzeros, cudaStream_t stream) {
  // BEGIN SOLUTION
  if (rows == 0) return;
  cudaMemsetAsync(d_y, 0, sizeof(float) * rows, stream);
  const int blocks = lab9::DivideUp(rows + nonzeros, kTile);
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
