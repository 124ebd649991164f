// Generated from solutions/lab10/v2_shared.cu by `warpgrade make-starter`; yours to edit.
// lab10 v2: the short distances in shared memory.
//
// The weakness of v1: each of its k (k + 1) / 2 steps reads and writes the whole array in device memory. But both
// elements of a pair with a short distance lie in the same part of the array, its *tile*. So a block loads a tile, does
// all steps with parts of at most a tile, and stores it:
//
//   sort_tiles    all phases up to the size of a tile     one launch instead of 66
//   step          a step with longer distances            as in v1
//   finish_tiles  the last steps of a longer phase        one launch instead of 11
#include "labs/lab10/lab10.h"

constexpr unsigned kThreads = 512;
[[maybe_unused]] constexpr unsigned kTile = 2048;  // elements of a block; 8 KB

// One step of v1, with one pair for each thread.
template <bool mirror>
__global__ void step_v2(uint32_t* d_out, unsigned n, unsigned part) {
  // TODO(v2) Produce: one step, as in v1.
  //   Hint: copy your kernel of v1.
  //   Check: ./warpgrade check lab10 v2
}

// Steps within tiles. whole_sort: all phases up to the size of a tile. Otherwise: the steps of one longer phase with
// parts of at most a tile.
template <bool whole_sort>
__global__ void __launch_bounds__(kThreads) tiles_v2(const uint32_t* d_from, uint32_t* d_out, unsigned n) {
  // TODO(v2) Produce: this block's tile of d_from, after these steps, in d_out.
  //   Constraint: read and write device memory once for each element. d_from may be d_out.
  //   Hint: load, steps, store. What must stand between two steps? What may stand in the tile past n, so that it
  //     never moves to the left?
  //   Check: ./warpgrade check lab10 v2
}

void sort_keys(const uint32_t* d_in, uint32_t* d_out, size_t n, int bits, uint32_t* d_work, cudaStream_t stream) {
  NOT_WRITTEN_YET();
  // TODO(v2) Produce: the sorted elements in d_out.
  //   Constraint: all launches are on `stream`. Each phase that is longer than a tile ends with one launch of
  //     tiles_v2.
  //   Hint: write down all steps for a tile of 4 and n = 16. Which of them stay within tiles?
  //   Check: ./warpgrade check lab10 v2
}

LAB10_RUNG();
