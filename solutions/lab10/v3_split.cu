// lab10 v3: a radix sort, one bit in each pass.
//
// The weakness of v2: the number of its steps grows with the square of log n. A *radix sort* compares no keys. Each
// pass looks at one bit of the key, the lowest first, and *splits* the array: first all elements whose bit is 0, then
// all whose bit is 1, both in the order in which they were. So the order that earlier passes have made is not lost:
//
//   elements        5  2  7  0  3  6        101 010 111 000 011 110
//   by bit 0        2  0  6  5  7  3        010 000 110 101 111 011
//   by bit 1        0  5  2  6  7  3        000 101 010 110 111 011
//   by bit 2        0  2  3  5  6  7        000 010 011 101 110 111
//
// The new place of an element with 0 is the number of zeros before it: a scan. That of an element with 1 is its own
// index, minus the zeros before it, plus all zeros. A pass has three launches: count the zeros of each tile, scan the
// counts, and move the elements.
#include "labs/lab10/lab10.h"

constexpr unsigned kThreads = 256;
constexpr unsigned kWarps = kThreads / 32;
constexpr unsigned kRows = 16;                // of 32 neighbours, for each warp
constexpr unsigned kTile = kThreads * kRows;  // elements of a block
constexpr unsigned kScanThreads = 1024;
constexpr unsigned kAllLanes = 0xffffffffu;

// BEGIN SOLUTION
// Where row `row` of this thread's warp begins: each warp has kRows rows one after the other.
__device__ unsigned RowOf(unsigned row) { return blockIdx.x * kTile + threadIdx.x / 32 * (32 * kRows) + row * 32; }

// The zeros among the elements of this warp, in all lanes. REQUIRES: all lanes call it.
__device__ unsigned ZerosOfWarp(const uint32_t* d_from, unsigned n, int bit) {
  unsigned zeros = 0;
  for (unsigned row = 0; row < kRows; ++row) {
    const unsigned i = RowOf(row) + threadIdx.x % 32;
    zeros += __popc(__ballot_sync(kAllLanes, i < n && (d_from[i] >> bit & 1) == 0));
  }
  return zeros;
}

// ELSE STARTER
// END SOLUTION
// d_zeros[tile]: the number of zeros in each tile.
__global__ void count_v3(const uint32_t* d_from, unsigned n, int bit, unsigned* d_zeros) {
  // BEGIN SOLUTION
  __shared__ unsigned of_warp[kWarps];
  const unsigned zeros = ZerosOfWarp(d_from, n, bit);
  if (threadIdx.x % 32 == 0) of_warp[threadIdx.x / 32] = zeros;
  __syncthreads();  // the counts of all warps are stored
  if (threadIdx.x != 0) return;
  unsigned sum = 0;
  for (const unsigned count : of_warp) sum += count;
  d_zeros[blockIdx.x] = sum;
  // ELSE STARTER
  //| // TODO(v3) Produce: the number of this tile's elements whose bit number `bit` is 0, in d_zeros[blockIdx.x].
  //| //   Constraint: elements past n do not count.
  //| //   Hint: __ballot_sync() tells you of 32 elements at once which have a 0, and __popc() counts them.
  //| //   Check: ./warpgrade check lab10 v3
  // END SOLUTION
}

// Exclusive scan of d_zeros[0] .. d_zeros[tiles - 1], in place; d_zeros[tiles] becomes the sum of all. One block.
__global__ void __launch_bounds__(kScanThreads) scan_v3(unsigned* d_zeros, unsigned tiles) {
  // BEGIN SOLUTION
  __shared__ unsigned of_warp[kScanThreads / 32];
  const unsigned lane = threadIdx.x % 32, warp = threadIdx.x / 32;
  unsigned before = 0;  // the sum of all rounds before this one
  for (unsigned first = 0; first < tiles; first += kScanThreads) {
    const unsigned i = first + threadIdx.x;
    const unsigned mine = i < tiles ? d_zeros[i] : 0;
    unsigned sum = mine;  // of this lane and the lanes before it
    for (unsigned distance = 1; distance < 32; distance *= 2) {
      const unsigned more = __shfl_up_sync(kAllLanes, sum, distance);
      if (lane >= distance) sum += more;
    }
    if (lane == 31) of_warp[warp] = sum;
    __syncthreads();  // the sums of all warps are stored
    unsigned before_warp = before;
    for (unsigned w = 0; w < kScanThreads / 32; ++w) {
      const unsigned of = of_warp[w];
      if (w < warp) before_warp += of;
      before += of;
    }
    if (i < tiles) d_zeros[i] = before_warp + sum - mine;
    __syncthreads();  // the sums have been read
  }
  if (threadIdx.x == 0) d_zeros[tiles] = before;
  // ELSE STARTER
  //| // TODO(v3) Produce: for each tile, the number of zeros in all tiles before it. In d_zeros[tiles]: all zeros.
  //| //   Constraint: one block, and any number of tiles.
  //| //   Hint: a loop over parts of kScanThreads numbers, each with a scan of lab5. What must a part know of those
  //| //     before it?
  //| //   Check: ./warpgrade check lab10 v3
  // END SOLUTION
}

// Moves each element to its new place. d_zeros holds what scan_v3 has written.
__global__ void move_v3(const uint32_t* d_from, uint32_t* d_to, unsigned n, int bit, const unsigned* d_zeros,
                        unsigned tiles) {
  // BEGIN SOLUTION
  __shared__ unsigned of_warp[kWarps];
  const unsigned lane = threadIdx.x % 32, warp = threadIdx.x / 32;
  uint32_t element[kRows];
  unsigned zero_mask[kRows], zeros = 0;  // of this warp
#pragma unroll
  for (unsigned row = 0; row < kRows; ++row) {
    const unsigned i = RowOf(row) + lane;
    element[row] = i < n ? d_from[i] : 0xffffffffu;
    zero_mask[row] = __ballot_sync(kAllLanes, (element[row] >> bit & 1) == 0);
    zeros += __popc(zero_mask[row]);
  }
  if (lane == 0) of_warp[warp] = zeros;
  __syncthreads();                        // the counts of all warps are stored
  unsigned before = d_zeros[blockIdx.x];  // zeros before this row, in the whole array
  for (unsigned w = 0; w < warp; ++w) before += of_warp[w];
  const unsigned all_zeros = d_zeros[tiles];
#pragma unroll
  for (unsigned row = 0; row < kRows; ++row) {
    const unsigned i = RowOf(row) + lane;
    const unsigned zeros_before = before + __popc(zero_mask[row] & ((1u << lane) - 1));
    const bool is_zero = (zero_mask[row] >> lane & 1) != 0;
    if (i < n) d_to[is_zero ? zeros_before : all_zeros + i - zeros_before] = element[row];
    before += __popc(zero_mask[row]);
  }
  // ELSE STARTER
  //| // TODO(v3) Produce: the split array in d_to.
  //| //   Constraint: stable. The zeros keep their order, and so do the ones.
  //| //   Hint: the zeros before an element are those in the tiles before, in the warps before, in the rows before, and
  //| //     in the lanes before.
  //| //   Check: ./warpgrade check lab10 v3
  // END SOLUTION
}

void sort_keys(const uint32_t* d_in, uint32_t* d_out, size_t n, int bits, uint32_t* d_work, cudaStream_t stream) {
  // BEGIN SOLUTION
  if (n == 0) return;
  const auto count = static_cast<unsigned>(n), tiles = static_cast<unsigned>(divide_up(n, kTile));
  unsigned* const d_zeros = d_work + n;
  const uint32_t* from = d_in;
  for (int bit = 0; bit < bits; ++bit) {
    uint32_t* const to = (bits - 1 - bit) % 2 == 0 ? d_out : d_work;  // the last pass writes to d_out
    count_v3<<<tiles, kThreads, 0, stream>>>(from, count, bit, d_zeros);
    scan_v3<<<1, kScanThreads, 0, stream>>>(d_zeros, tiles);
    move_v3<<<tiles, kThreads, 0, stream>>>(from, to, count, bit, d_zeros, tiles);
    from = to;
  }
  // ELSE STARTER
  //| NOT_WRITTEN_YET();
  //| // TODO(v3) Produce: the elements of d_in in d_out, sorted by their `bits` lowest bits.
  //| //   Constraint: one pass for each bit, on `stream`. d_in is read-only. `bits` can be odd or even.
  //| //   Hint: the passes go back and forth between two arrays. Into which one must the first pass write, so that the
  //| //     last one writes to d_out?
  //| //   Check: ./warpgrade check lab10 v3
  // END SOLUTION
}

LAB10_RUNG();
