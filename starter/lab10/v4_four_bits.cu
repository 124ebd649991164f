// Generated from solutions/lab10/v4_four_bits.cu by `warpgrade make-starter`; yours to edit.
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
[[maybe_unused]] constexpr unsigned kDigits = 1u << kDigitBits;
constexpr unsigned kThreads = 256;
[[maybe_unused]] constexpr unsigned kWarps = kThreads / 32;
constexpr unsigned kRows = 16;                // of 32 neighbours, for each warp
[[maybe_unused]] constexpr unsigned kTile = kThreads * kRows;  // elements of a block; 16 KB
constexpr unsigned kScanThreads = 1024;
[[maybe_unused]] constexpr unsigned kAllLanes = 0xffffffffu;

// The digit of an element that a pass looks at.
struct Digit {
  int shift;
  unsigned mask;  // fewer than kDigitBits ones if the key ends before
  __device__ unsigned Of(uint32_t element) const { return element >> shift & mask; }
};

// d_counts[digit * (tiles + 1) + tile]: how often the digit occurs in the tile.
__global__ void __launch_bounds__(kThreads)
    count_v4(const uint32_t* d_from, unsigned n, Digit digit, unsigned* d_counts, unsigned tiles) {
  // TODO(v4) Produce: for each digit, how often it occurs in this tile.
  //   Constraint: elements past n do not count.
  //   Hint: a histogram of 16 bins, as in lab7.
  //   Check: ./warpgrade check lab10 v4
}

// One block for each digit: the exclusive scan of its `tiles` counts, in place. The sum of all goes behind the last
// one.
__global__ void __launch_bounds__(kScanThreads) scan_v4(unsigned* d_counts, unsigned tiles) {
  // TODO(v4) Produce: for each tile, how often this block's digit (blockIdx.x) occurs in all tiles before it.
  //   Constraint: counts[tiles] becomes the number of all elements with this digit.
  //   Hint: your kernel of v3, for one row of d_counts.
  //   Check: ./warpgrade check lab10 v4
}

// Sorts a tile by the digit and stores its runs. d_counts holds what scan_v4 has written.
__global__ void __launch_bounds__(kThreads)
    move_v4(const uint32_t* d_from, uint32_t* d_to, unsigned n, Digit digit, const unsigned* d_counts, unsigned tiles) {
  // TODO(v4) Produce: the elements of this tile at their new places in d_to, in runs of neighbours.
  //   Constraint: stable. Neighbouring threads store neighbouring elements of the sorted tile.
  //   Hint: first each warp: which lanes have the same digit, and how many of them are before me? Then the block:
  //     where does each digit begin in the tile, and where in the array?
  //   Check: ./warpgrade check lab10 v4
}

void sort_keys(const uint32_t* d_in, uint32_t* d_out, size_t n, int bits, uint32_t* d_work, cudaStream_t stream) {
  NOT_WRITTEN_YET();
  // TODO(v4) Produce: the elements of d_in in d_out, sorted by their `bits` lowest bits.
  //   Constraint: one pass for each four bits, on `stream`. The last digit can have fewer bits.
  //   Hint: d_work has room for n elements and, behind them, for 16 * (tiles + 1) counters.
  //   Check: ./warpgrade check lab10 v4
}

LAB10_RUNG();
