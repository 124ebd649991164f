// Generated from solutions/lab10/v3_split.cu by `warpgrade make-starter`; yours to edit.
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
[[maybe_unused]] constexpr unsigned kWarps = kThreads / 32;
constexpr unsigned kRows = 16;                // of 32 neighbours, for each warp
[[maybe_unused]] constexpr unsigned kTile = kThreads * kRows;  // elements of a block
constexpr unsigned kScanThreads = 1024;
[[maybe_unused]] constexpr unsigned kAllLanes = 0xffffffffu;

// d_zeros[tile]: the number of zeros in each tile.
__global__ void count_v3(const uint32_t* d_from, unsigned n, int bit, unsigned* d_zeros) {
  // TODO(v3) Produce: the number of this tile's elements whose bit number `bit` is 0, in d_zeros[blockIdx.x].
  //   Constraint: elements past n do not count.
  //   Hint: __ballot_sync() tells you of 32 elements at once which have a 0, and __popc() counts them.
  //   Check: ./warpgrade check lab10 v3
}

// Exclusive scan of d_zeros[0] .. d_zeros[tiles - 1], in place; d_zeros[tiles] becomes the sum of all. One block.
__global__ void __launch_bounds__(kScanThreads) scan_v3(unsigned* d_zeros, unsigned tiles) {
  // TODO(v3) Produce: for each tile, the number of zeros in all tiles before it. In d_zeros[tiles]: all zeros.
  //   Constraint: one block, and any number of tiles.
  //   Hint: a loop over parts of kScanThreads numbers, each with a scan of lab5. What must a part know of those
  //     before it?
  //   Check: ./warpgrade check lab10 v3
}

// Moves each element to its new place. d_zeros holds what scan_v3 has written.
__global__ void move_v3(const uint32_t* d_from, uint32_t* d_to, unsigned n, int bit, const unsigned* d_zeros,
                        unsigned tiles) {
  // TODO(v3) Produce: the split array in d_to.
  //   Constraint: stable. The zeros keep their order, and so do the ones.
  //   Hint: the zeros before an element are those in the tiles before, in the warps before, in the rows before, and
  //     in the lanes before.
  //   Check: ./warpgrade check lab10 v3
}

void sort_keys(const uint32_t* d_in, uint32_t* d_out, size_t n, int bits, uint32_t* d_work, cudaStream_t stream) {
  NOT_WRITTEN_YET();
  // TODO(v3) Produce: the elements of d_in in d_out, sorted by their `bits` lowest bits.
  //   Constraint: one pass for each bit, on `stream`. d_in is read-only. `bits` can be odd or even.
  //   Hint: the passes go back and forth between two arrays. Into which one must the first pass write, so that the
  //     last one writes to d_out?
  //   Check: ./warpgrade check lab10 v3
}

LAB10_RUNG();
