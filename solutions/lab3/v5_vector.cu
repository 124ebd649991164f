// lab3 v5: register blocks with vector loads, double buffered.
//
// The weakness of v4: a third of its inner loop is loads from shared memory, one number at a time. Also the whole block
// waits twice for each slice: once until the slice has arrived from device memory, and once until all threads are done
// with it. Here a thread has 8 x 8 elements of C, and one load brings 4 neighbours. The next slice is under way while
// the block computes with this one.
#include "labs/lab3/lab3.h"

constexpr int kTile = 128;     // a block computes a tile of kTile x kTile elements of C
constexpr int kDepth = 8;      // from slices of A and B that are kDepth deep
constexpr int kThreads = 256;  // with 16 x 16 threads, in one dimension
constexpr int kResults = 8;    // a thread computes kResults x kResults elements of C: 2 x 2 squares of 4 x 4

// BEGIN SOLUTION
constexpr int kHalf = kTile / 2;  // the squares of a thread are kHalf apart; those of its neighbours lie between
constexpr int kPad = 4;           // the reason is at a_slice
static_assert(kTile * kDepth == 4 * kThreads, "each thread fetches 4 neighbours of each slice");

// row[first .. first + 3], with 0 for elements from `length` on. With kAligned, rows start at multiples of 16 bytes and
// their length is a multiple of 4. Then the four are all inside or all outside, and one load fetches them.
template <bool kAligned>
__device__ float4 LoadFour(const float* row, size_t first, size_t length) {
  float4 four = make_float4(0, 0, 0, 0);
  if (kAligned) {
    if (first < length) four = reinterpret_cast<const float4*>(row)[first / 4];
    return four;
  }
  if (first < length) four.x = row[first];
  if (first + 1 < length) four.y = row[first + 1];
  if (first + 2 < length) four.z = row[first + 2];
  if (first + 3 < length) four.w = row[first + 3];
  return four;
}

template <bool kAligned>
__device__ void StoreFour(float* row, size_t first, size_t length, float4 four) {
  if (kAligned) {
    if (first < length) reinterpret_cast<float4*>(row)[first / 4] = four;
    return;
  }
  if (first < length) row[first] = four.x;
  if (first + 1 < length) row[first + 1] = four.y;
  if (first + 2 < length) row[first + 2] = four.z;
  if (first + 3 < length) row[first + 3] = four.w;
}

__device__ void Unpack(float4 four, float* to) {
  to[0] = four.x;
  to[1] = four.y;
  to[2] = four.z;
  to[3] = four.w;
}

// REQUIRES: with kAligned, k and n are multiples of 4.
// Long because the loads, products and stores of a slice share registers in one loop.
template <bool kAligned>
// END SOLUTION
__global__ void __launch_bounds__(kThreads, 2)
    matmul_v5(const float* d_a, const float* d_b, float* d_c, size_t m, size_t k, size_t n) {
  // BEGIN SOLUTION
  // A's slice is stored transposed, so that neighbours along a column of A are neighbours here too. Threads of 16 rows
  // and 2 columns of the slice store together. The pad puts these two groups of 16 into different banks.
  __shared__ alignas(16) float a_slice[2][kDepth][kTile + kPad];
  __shared__ alignas(16) float b_slice[2][kDepth][kTile];

  const size_t tiles_across = (n + kTile - 1) / kTile;
  const size_t first_row = blockIdx.x / tiles_across * kTile;
  const size_t first_column = blockIdx.x % tiles_across * kTile;

  // This thread fetches 4 neighbours in a row of A's slice, and 4 neighbours in a row of B's slice.
  const int a_row = threadIdx.x / (kDepth / 4);
  const int a_place = threadIdx.x % (kDepth / 4) * 4;
  const int b_row = threadIdx.x / (kTile / 4);
  const int b_place = threadIdx.x % (kTile / 4) * 4;
  const float* a_from = d_a + (first_row + a_row) * k;

  const auto fetch_a = [&](size_t first) {
    if (first_row + a_row >= m) return make_float4(0, 0, 0, 0);
    return LoadFour<kAligned>(a_from, first + a_place, k);
  };
  const auto fetch_b = [&](size_t first) {
    if (first + b_row >= k) return make_float4(0, 0, 0, 0);
    return LoadFour<kAligned>(d_b + (first + b_row) * n, first_column + b_place, n);
  };
  const auto put = [&](int buffer, float4 a, float4 b) {
    a_slice[buffer][a_place + 0][a_row] = a.x;
    a_slice[buffer][a_place + 1][a_row] = a.y;
    a_slice[buffer][a_place + 2][a_row] = a.z;
    a_slice[buffer][a_place + 3][a_row] = a.w;
    *reinterpret_cast<float4*>(&b_slice[buffer][b_row][b_place]) = b;
  };

  // This thread computes the rows `row` to `row` + 3, the columns `column` to `column` + 3, and the same kHalf further
  // on.
  const int row = threadIdx.x / 16 * 4;
  const int column = threadIdx.x % 16 * 4;
  float sum[kResults][kResults] = {};

  if (k > 0) put(0, fetch_a(0), fetch_b(0));
  __syncthreads();
  int buffer = 0;
  for (size_t first = 0; first < k; first += kDepth, buffer ^= 1) {
    const bool more = first + kDepth < k;
    float4 next_a, next_b;
    if (more) {  // in flight until `put` stores them
      next_a = fetch_a(first + kDepth);
      next_b = fetch_b(first + kDepth);
    }
#pragma unroll
    for (int l = 0; l < kDepth; ++l) {
      float a[kResults], b[kResults];
      Unpack(*reinterpret_cast<const float4*>(&a_slice[buffer][l][row]), a);
      Unpack(*reinterpret_cast<const float4*>(&a_slice[buffer][l][row + kHalf]), a + 4);
      Unpack(*reinterpret_cast<const float4*>(&b_slice[buffer][l][column]), b);
      Unpack(*reinterpret_cast<const float4*>(&b_slice[buffer][l][column + kHalf]), b + 4);
#pragma unroll
      for (int i = 0; i < kResults; ++i) {
#pragma unroll
        for (int j = 0; j < kResults; ++j) sum[i][j] += a[i] * b[j];
      }
    }
    if (more) put(buffer ^ 1, next_a, next_b);
    // One barrier serves both: the next slices are complete, and all threads have finished with these.
    __syncthreads();
  }

#pragma unroll
  for (int i = 0; i < kResults; ++i) {
    const size_t c_row = first_row + row + i % 4 + i / 4 * kHalf;
    if (c_row >= m) continue;
#pragma unroll
    for (int j = 0; j < kResults; j += 4) {
      const float4 four = make_float4(sum[i][j], sum[i][j + 1], sum[i][j + 2], sum[i][j + 3]);
      StoreFour<kAligned>(d_c + c_row * n, first_column + column + j / 4 * kHalf, n, four);
    }
  }
  // ELSE STARTER
  //| // TODO(v5) Produce: what v4 produced, with kResults x kResults elements of C per thread and float4 loads.
  //| //   Constraint: two buffers for slices, and one __syncthreads() per slice. If the length of a row of A or B is
  //| //     not a multiple of 4, not all rows start at multiples of 16 bytes.
  //| //   Hint: transpose the slice of A when you store it to __shared__ memory. Load the next slice into registers
  //| //     before you compute with this one, and put it into the other buffer afterwards.
  //| //   Check: ./warpgrade check lab3 v5
  // END SOLUTION
}

void matmul(const float* d_a, const float* d_b, float* d_c, size_t m, size_t k, size_t n, cudaStream_t stream) {
  // BEGIN SOLUTION
  if (m == 0 || n == 0) return;
  const size_t tiles_down = (m + kTile - 1) / kTile;
  const size_t tiles_across = (n + kTile - 1) / kTile;
  const dim3 grid(static_cast<unsigned>(tiles_down * tiles_across));
  const auto kernel = k % 4 == 0 && n % 4 == 0 ? matmul_v5<true> : matmul_v5<false>;
  kernel<<<grid, kThreads, 0, stream>>>(d_a, d_b, d_c, m, k, n);
  // ELSE STARTER
  //| NOT_WRITTEN_YET();
  //| // TODO(v5) Produce: a launch of matmul_v5 on `stream`, one block for each tile of C.
  //| //   Constraint: as in v1: do not launch for an empty C; any number of rows and columns.
  //| //   Hint: the grid of v4 fits.
  //| //   Check: ./warpgrade check lab3 v5
  //| const dim3 grid(1);
  //| matmul_v5<<<grid, kThreads, 0, stream>>>(d_a, d_b, d_c, m, k, n);
  // END SOLUTION
}

LAB3_RUNG();
