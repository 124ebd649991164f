// lab10 v4: four bits in each pass, and tiles that are sorted before they are stored.
//
// The weakness of v3: 32 passes, each of which reads the array twice and writes it once. And each row of a warp goes to
// two places, with some 16 elements for each: half-empty sectors. Here a pass looks at a *digit* of four bits, so there
// are 8 passes. A block first sorts its tile by the digit in shared memory. Then it stores 16 runs of about 256
// neighbours:
//
//   tile, by digit     | 0 0 0 0 0 | 1 1 1 | 2 2 2 2 | ... | f f f |     in shared memory
//                            |         |        |              |
//   array, by digit    | . 0 0 0 0 0 . . . | . 1 1 1 . . . | . 2 2 2 2 . . | ... | . f f f . |
//
// Element i of the sorted tile goes to place i + base[digit]: base has, for each digit, where the tile's run begins in
// the array minus where it begins in the tile.
#include "labs/lab10/lab10.h"

constexpr int kDigitBits = 4;
constexpr unsigned kDigits = 1u << kDigitBits;
constexpr unsigned kThreads = 256;
constexpr unsigned kWarps = kThreads / 32;
constexpr unsigned kRows = 16;                // of 32 neighbours, for each warp
constexpr unsigned kTile = kThreads * kRows;  // elements of a block; 16 KB
constexpr unsigned kScanThreads = 1024;
constexpr unsigned kAllLanes = 0xffffffffu;

// The digit of an element that a pass looks at.
struct Digit {
  int shift;
  unsigned mask;  // fewer than kDigitBits ones if the key ends before
  __device__ unsigned Of(uint32_t element) const { return element >> shift & mask; }
};

// BEGIN SOLUTION
// Where row `row` of this thread's warp begins.
__device__ unsigned RowOf(unsigned row) { return blockIdx.x * kTile + threadIdx.x / 32 * (32 * kRows) + row * 32; }

// The lanes of this warp that have the same digit. REQUIRES: all lanes call it.
__device__ unsigned LanesWith(unsigned digit) {
  unsigned lanes = kAllLanes;
#pragma unroll
  for (int bit = 0; bit < kDigitBits; ++bit) {
    const bool is_one = (digit >> bit & 1) != 0;
    const unsigned ones = __ballot_sync(kAllLanes, is_one);
    lanes &= is_one ? ones : ~ones;
  }
  return lanes;
}

// The number of each element among those of its warp with the same digit: place[row]. counts are those of this warp;
// they hold zeros before, and then how often the warp has each digit. REQUIRES: all lanes call it.
__device__ void NumberInWarp(const uint32_t (&element)[kRows], Digit digit, unsigned* counts,
                             unsigned (&place)[kRows]) {
#pragma unroll
  for (unsigned row = 0; row < kRows; ++row) {
    const unsigned mine = digit.Of(element[row]), lanes = LanesWith(mine);
    const unsigned lanes_before = __popc(lanes & ((1u << threadIdx.x % 32) - 1));
    const unsigned before = counts[mine];
    __syncwarp();  // all lanes have read the counters
    if (lanes_before == 0) counts[mine] = before + __popc(lanes);
    __syncwarp();  // the counters are written
    place[row] = before + lanes_before;
  }
}

// The sum of the values of this lane and of all lanes before it. REQUIRES: all lanes call it.
__device__ unsigned ScanOfWarp(unsigned sum) {
#pragma unroll
  for (unsigned distance = 1; distance < 32; distance *= 2) {
    const unsigned more = __shfl_up_sync(kAllLanes, sum, distance);
    if (threadIdx.x % 32 >= distance) sum += more;
  }
  return sum;
}

// ELSE STARTER
// END SOLUTION
// d_counts[digit * (tiles + 1) + tile]: how often the digit occurs in the tile.
__global__ void __launch_bounds__(kThreads)
    count_v4(const uint32_t* d_from, unsigned n, Digit digit, unsigned* d_counts, unsigned tiles) {
  // BEGIN SOLUTION
  __shared__ unsigned counts[kWarps][kDigits];
  if (threadIdx.x < kWarps * kDigits) counts[threadIdx.x / kDigits][threadIdx.x % kDigits] = 0;
  __syncthreads();  // the counters are cleared
  const unsigned lane = threadIdx.x % 32, warp = threadIdx.x / 32;
#pragma unroll
  for (unsigned row = 0; row < kRows; ++row) {
    const unsigned i = RowOf(row) + lane;
    const unsigned mine = digit.Of(i < n ? d_from[i] : 0);
    const unsigned lanes = LanesWith(mine) & __ballot_sync(kAllLanes, i < n);
    // The first of the lanes with this digit counts for all of them.
    if (i < n && (lanes & ((1u << lane) - 1)) == 0) counts[warp][mine] += __popc(lanes);
    __syncwarp();
  }
  __syncthreads();  // all warps have counted
  if (threadIdx.x >= kDigits) return;
  unsigned sum = 0;
  for (unsigned w = 0; w < kWarps; ++w) sum += counts[w][threadIdx.x];
  d_counts[threadIdx.x * (tiles + 1) + blockIdx.x] = sum;
  // ELSE STARTER
  //| // TODO(v4) Produce: for each digit, how often it occurs in this tile.
  //| //   Constraint: elements past n do not count.
  //| //   Hint: a histogram of 16 bins, as in lab7.
  //| //   Check: ./warpgrade check lab10 v4
  // END SOLUTION
}

// One block for each digit: the exclusive scan of its `tiles` counts, in place. The sum of all goes behind the last
// one.
__global__ void __launch_bounds__(kScanThreads) scan_v4(unsigned* d_counts, unsigned tiles) {
  // BEGIN SOLUTION
  __shared__ unsigned of_warp[kScanThreads / 32];
  const unsigned warp = threadIdx.x / 32;
  unsigned* const counts = d_counts + size_t{blockIdx.x} * (tiles + 1);
  unsigned before = 0;  // the sum of all rounds before this one
  for (unsigned first = 0; first < tiles; first += kScanThreads) {
    const unsigned i = first + threadIdx.x;
    const unsigned mine = i < tiles ? counts[i] : 0;
    const unsigned sum = ScanOfWarp(mine);
    if (threadIdx.x % 32 == 31) of_warp[warp] = sum;
    __syncthreads();  // the sums of all warps are stored
    unsigned before_warp = before;
    for (unsigned w = 0; w < kScanThreads / 32; ++w) {
      const unsigned of = of_warp[w];
      if (w < warp) before_warp += of;
      before += of;
    }
    if (i < tiles) counts[i] = before_warp + sum - mine;
    __syncthreads();  // the sums have been read
  }
  if (threadIdx.x == 0) counts[tiles] = before;
  // ELSE STARTER
  //| // TODO(v4) Produce: for each tile, how often this block's digit (blockIdx.x) occurs in all tiles before it.
  //| //   Constraint: counts[tiles] becomes the number of all elements with this digit.
  //| //   Hint: your kernel of v3, for one row of d_counts.
  //| //   Check: ./warpgrade check lab10 v4
  // END SOLUTION
}

// Sorts a tile by the digit and stores its runs. d_counts holds what scan_v4 has written.
__global__ void __launch_bounds__(kThreads)
    move_v4(const uint32_t* d_from, uint32_t* d_to, unsigned n, Digit digit, const unsigned* d_counts, unsigned tiles) {
  // BEGIN SOLUTION
  __shared__ uint32_t sorted[kTile];
  __shared__ unsigned counts[kWarps][kDigits];  // of each warp; then where its elements with the digit go in the tile
  __shared__ unsigned base[kDigits];
  if (threadIdx.x < kWarps * kDigits) counts[threadIdx.x / kDigits][threadIdx.x % kDigits] = 0;
  __syncthreads();  // the counters are cleared
  const unsigned lane = threadIdx.x % 32, warp = threadIdx.x / 32;

  // What lies past n has the last digit and comes after all that exists.
  uint32_t element[kRows];
#pragma unroll
  for (unsigned row = 0; row < kRows; ++row) {
    const unsigned i = RowOf(row) + lane;
    element[row] = i < n ? d_from[i] : 0xffffffffu;
  }
  unsigned place[kRows];
  NumberInWarp(element, digit, counts[warp], place);
  __syncthreads();  // all warps have counted

  if (warp == 0) {
    unsigned in_tile = 0, in_array = 0, of_tiles_before = 0;
    if (lane < kDigits) {
      for (unsigned w = 0; w < kWarps; ++w) {
        const unsigned count = counts[w][lane];
        counts[w][lane] = in_tile;
        in_tile += count;
      }
      const unsigned* const of_digit = d_counts + size_t{lane} * (tiles + 1);
      of_tiles_before = of_digit[blockIdx.x];
      in_array = of_digit[tiles];
    }
    const unsigned begin_in_tile = ScanOfWarp(in_tile) - in_tile;
    const unsigned begin_in_array = ScanOfWarp(in_array) - in_array + of_tiles_before;
    if (lane < kDigits) {
      for (unsigned w = 0; w < kWarps; ++w) counts[w][lane] += begin_in_tile;
      base[lane] = begin_in_array - begin_in_tile;
    }
  }
  __syncthreads();  // counts and base are complete

#pragma unroll
  for (unsigned row = 0; row < kRows; ++row) {
    sorted[place[row] + counts[warp][digit.Of(element[row])]] = element[row];
  }
  __syncthreads();  // the tile is sorted
  const unsigned left = n - blockIdx.x * kTile, count = left < kTile ? left : kTile;
  for (unsigned i = threadIdx.x; i < count; i += kThreads) d_to[base[digit.Of(sorted[i])] + i] = sorted[i];
  // ELSE STARTER
  //| // TODO(v4) Produce: the elements of this tile at their new places in d_to, in runs of neighbours.
  //| //   Constraint: stable. Neighbouring threads store neighbouring elements of the sorted tile.
  //| //   Hint: first each warp: which lanes have the same digit, and how many of them are before me? Then the block:
  //| //     where does each digit begin in the tile, and where in the array?
  //| //   Check: ./warpgrade check lab10 v4
  // END SOLUTION
}

void sort_keys(const uint32_t* d_in, uint32_t* d_out, size_t n, int bits, uint32_t* d_work, cudaStream_t stream) {
  // BEGIN SOLUTION
  if (n == 0) return;
  const auto count = static_cast<unsigned>(n), tiles = static_cast<unsigned>(divide_up(n, kTile));
  unsigned* const d_counts = d_work + n;
  const int passes = (bits + kDigitBits - 1) / kDigitBits;
  const uint32_t* from = d_in;
  for (int pass = 0; pass < passes; ++pass) {
    uint32_t* const to = (passes - 1 - pass) % 2 == 0 ? d_out : d_work;
    const int shift = pass * kDigitBits, left = bits - shift;
    const Digit digit = {shift, left < kDigitBits ? (1u << left) - 1 : kDigits - 1};
    count_v4<<<tiles, kThreads, 0, stream>>>(from, count, digit, d_counts, tiles);
    scan_v4<<<kDigits, kScanThreads, 0, stream>>>(d_counts, tiles);
    move_v4<<<tiles, kThreads, 0, stream>>>(from, to, count, digit, d_counts, tiles);
    from = to;
  }
  // ELSE STARTER
  //| NOT_WRITTEN_YET();
  //| // TODO(v4) Produce: the elements of d_in in d_out, sorted by their `bits` lowest bits.
  //| //   Constraint: one pass for each four bits, on `stream`. The last digit can have fewer bits.
  //| //   Hint: d_work has room for n elements and, behind them, for 16 * (tiles + 1) counters.
  //| //   Check: ./warpgrade check lab10 v4
  // END SOLUTION
}

LAB10_RUNG();
