// Generated from solutions/lab10/v5_one_sweep.cu by `warpgrade make-starter`; yours to edit.
// lab10 v5: eight bits in each pass, and each pass in one sweep.
//
// The weakness of v4: 8 passes, each of which reads the array twice: once to count, once to move. Here a digit has 8
// bits, so there are 4 passes. One kernel counts the digits of all passes together, since it does not matter for a
// count where an element is. And a pass reads each element once: a tile learns from the tiles before it where its runs
// begin, with the look-back of lab5 v6. So the array is read 5 times and written 4 times. The method is from Adinets
// and Merrill, "Onesweep: A Faster Least Significant Digit Radix Sort for GPUs", 2022.
//
// Each tile has 256 status words, one for each digit, and one thread looks after each of them. A word has a flag in its
// two highest bits, and below it a number of elements, which is less than 2^30:
//
//   nothing   nobody knows anything about this digit in this tile yet
//   sum       how many elements of this tile have the digit
//   end       where the run of this tile ends in the array: the next tile's begins there
//
// A tile is counted first, with atomics, and its sums are published at once. Then it is sorted. So the tiles before
// have time to publish theirs, and no thread must keep the places of its elements in registers.
#include <algorithm>

#include "labs/lab10/lab10.h"

constexpr int kDigitBits = 8;
[[maybe_unused]] constexpr unsigned kDigits = 1u << kDigitBits;
[[maybe_unused]] constexpr int kMostPasses = 32 / kDigitBits;
[[maybe_unused]] constexpr unsigned kAllLanes = 0xffffffffu;

// The digit of an element that a pass looks at.
struct Digit {
  int shift;
  unsigned mask;  // fewer than kDigitBits ones if the key ends before
  __device__ unsigned Of(uint32_t element) const { return element >> shift & mask; }
};

// d_counts[pass * kDigits + digit]: how often each digit of each pass occurs. REQUIRES: d_counts holds zeros.
__global__ void count_v5(const uint32_t* d_in, unsigned n, int passes, uint32_t key_mask, unsigned* d_counts) {
  // TODO(v5) Produce: the histograms of all passes, in one run over the array.
  //   Constraint: bits above the key do not count (key_mask).
  //   Hint: lab7 v2, with four histograms of 256 bins.
  //   Check: ./warpgrade check lab10 v5
}

// One pass. One block for each tile. REQUIRES: *d_counter and d_status hold zeros.
[[maybe_unused]] constexpr unsigned kThreads = 256;
[[maybe_unused]] constexpr unsigned kRows = 16;
__global__ void sweep_v5(const uint32_t* d_from, uint32_t* d_to, unsigned n, Digit digit, const unsigned* d_counts,
                         unsigned* d_counter, volatile unsigned* d_status) {
  // TODO(v5) Produce: the elements of one tile at their new places in d_to.
  //   Constraint: read each element once. A tile's number comes from *d_counter, not from blockIdx. Publish a
  //     status word for each digit as soon as the tile is counted, and read and write it in one piece.
  //   Hint: your kernel of v4 sorts the tile. Where a run begins comes from the tiles before, as in lab5 v6; for
  //     tile 0 it comes from d_counts. One thread for each digit looks back.
  //   Check: ./warpgrade check lab10 v5
}
void sort_keys(const uint32_t* d_in, uint32_t* d_out, size_t n, int bits, uint32_t* d_work, cudaStream_t stream) {
  NOT_WRITTEN_YET();
  // TODO(v5) Produce: cleared counters and status words, a launch of count_v5, and one of sweep_v5 for each pass.
  //   Constraint: everything on `stream`. Each pass needs status words and a counter that hold zeros.
  //   Hint: one memset can clear those of all passes.
  //   Check: ./warpgrade check lab10 v5
}

LAB10_RUNG();
