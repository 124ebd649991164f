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
constexpr unsigned kTile = 2048;  // elements of a block; 8 KB

// One step of v1, with one pair for each thread.
template <bool mirror>
__global__ void step_v2(uint32_t* d_out, unsigned n, unsigned part) {
  // BEGIN SOLUTION
  const unsigned pair = blockIdx.x * kThreads + threadIdx.x, distance = part / 2;
  const unsigned place = pair & (distance - 1), begin = 2 * (pair - place), left = begin + place;
  const unsigned right = mirror ? begin + part - 1 - place : left + distance;
  if (right >= n) return;
  const uint32_t a = d_out[left], b = d_out[right];
  if (a > b) {
    d_out[left] = b;
    d_out[right] = a;
  }
  // ELSE STARTER
  //| // TODO(v2) Produce: one step, as in v1.
  //| //   Hint: copy your kernel of v1.
  //| //   Check: ./warpgrade check lab10 v2
  // END SOLUTION
}

// BEGIN SOLUTION
// One step in the tile. REQUIRES: all threads of the block call it.
template <bool mirror>
__device__ void StepInTile(uint32_t* tile, unsigned part) {
  const unsigned distance = part / 2;
  for (unsigned pair = threadIdx.x; pair < kTile / 2; pair += kThreads) {
    const unsigned place = pair & (distance - 1), begin = 2 * (pair - place), left = begin + place;
    const unsigned right = mirror ? begin + part - 1 - place : left + distance;
    const uint32_t a = tile[left], b = tile[right];
    if (a > b) {
      tile[left] = b;
      tile[right] = a;
    }
  }
  __syncthreads();  // all pairs of this step are done
}

// ELSE STARTER
// END SOLUTION
// Steps within tiles. whole_sort: all phases up to the size of a tile. Otherwise: the steps of one longer phase with
// parts of at most a tile.
template <bool whole_sort>
__global__ void __launch_bounds__(kThreads) tiles_v2(const uint32_t* d_from, uint32_t* d_out, unsigned n) {
  // BEGIN SOLUTION
  __shared__ uint32_t tile[kTile];
  const unsigned begin = blockIdx.x * kTile;
  for (unsigned i = threadIdx.x; i < kTile; i += kThreads) tile[i] = begin + i < n ? d_from[begin + i] : 0xffffffffu;
  __syncthreads();  // the tile is loaded
  if (whole_sort) {
    for (unsigned phase = 2; phase <= kTile; phase *= 2) {
      StepInTile<true>(tile, phase);
      for (unsigned part = phase / 2; part >= 2; part /= 2) StepInTile<false>(tile, part);
    }
  } else {
    for (unsigned part = kTile; part >= 2; part /= 2) StepInTile<false>(tile, part);
  }
  for (unsigned i = threadIdx.x; i < kTile && begin + i < n; i += kThreads) d_out[begin + i] = tile[i];
  // ELSE STARTER
  //| // TODO(v2) Produce: this block's tile of d_from, after these steps, in d_out.
  //| //   Constraint: read and write device memory once for each element. d_from may be d_out.
  //| //   Hint: load, steps, store. What must stand between two steps? What may stand in the tile past n, so that it
  //| //     never moves to the left?
  //| //   Check: ./warpgrade check lab10 v2
  // END SOLUTION
}

void sort_keys(const uint32_t* d_in, uint32_t* d_out, size_t n, int bits, uint32_t* d_work, cudaStream_t stream) {
  // BEGIN SOLUTION
  if (n == 0) return;
  const auto count = static_cast<unsigned>(n), tiles = static_cast<unsigned>(divide_up(n, kTile));
  tiles_v2<true><<<tiles, kThreads, 0, stream>>>(d_in, d_out, count);
  size_t all = kTile;
  while (all < n) all *= 2;
  const auto blocks = static_cast<unsigned>(divide_up(all / 2, kThreads));
  for (unsigned phase = 2 * kTile; phase <= all; phase *= 2) {
    step_v2<true><<<blocks, kThreads, 0, stream>>>(d_out, count, phase);
    for (unsigned part = phase / 2; part > kTile; part /= 2) {
      step_v2<false><<<blocks, kThreads, 0, stream>>>(d_out, count, part);
    }
    tiles_v2<false><<<tiles, kThreads, 0, stream>>>(d_out, d_out, count);
  }
  // ELSE STARTER
  //| NOT_WRITTEN_YET();
  //| // TODO(v2) Produce: the sorted elements in d_out.
  //| //   Constraint: all launches are on `stream`. Each phase that is longer than a tile ends with one launch of
  //| //     tiles_v2.
  //| //   Hint: write down all steps for a tile of 4 and n = 16. Which of them stay within tiles?
  //| //   Check: ./warpgrade check lab10 v2
  // END SOLUTION
}

LAB10_RUNG();
