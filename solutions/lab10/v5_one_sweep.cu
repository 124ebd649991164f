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
constexpr unsigned kDigits = 1u << kDigitBits;
constexpr int kMostPasses = 32 / kDigitBits;
constexpr unsigned kAllLanes = 0xffffffffu;

// The digit of an element that a pass looks at.
struct Digit {
  int shift;
  unsigned mask;  // fewer than kDigitBits ones if the key ends before
  __device__ unsigned Of(uint32_t element) const { return element >> shift & mask; }
};

// BEGIN SOLUTION
// The tuning parameters.
template <unsigned threads, unsigned rows, unsigned blocks, unsigned looks>
struct Shape {
  static constexpr unsigned kThreads = threads;
  static constexpr unsigned kWarps = threads / 32;
  static constexpr unsigned kRows = rows;            // of 32 neighbours, for each warp
  static constexpr unsigned kTile = threads * rows;  // elements of a block
  static constexpr unsigned kBlocks = blocks;        // at the same time on one multiprocessor
  static constexpr unsigned kLooks = looks;          // tiles that a look back sees at once
  static_assert(threads % 32 == 0 && threads >= kDigits);
  static constexpr unsigned kSharedBytes = (kDigits * kWarps + kTile) * sizeof(uint32_t);
};
using Tuned = Shape<256, 28, 4, 4>;

constexpr unsigned kCountThreads = 512;
constexpr unsigned kCountBlocks = 4;  // on each multiprocessor
constexpr unsigned kCopies = 8;       // of each counter, so that fewer lanes of a warp need the same bank

constexpr unsigned kSum = 1u << 30, kEnd = 2u << 30, kNumber = kSum - 1;  // of a status word

// The lanes of this warp that have the same digit. REQUIRES: all lanes call it.
__device__ unsigned LanesWith(unsigned digit) {
  unsigned lanes = kAllLanes;
#pragma unroll
  for (int bit = 0; bit < kDigitBits; ++bit) {
    // v4's votes, in PTX: nvcc makes more instructions of the same in C++.
    unsigned same;
    asm("{\n"
        "  .reg .pred is_one;\n"
        "  .reg .b32 this_bit;\n"
        "  and.b32 this_bit, %1, %2;\n"
        "  setp.ne.b32 is_one, this_bit, 0;\n"
        "  vote.sync.ballot.b32 %0, is_one, 0xffffffff;\n"
        "  @!is_one not.b32 %0, %0;\n"
        "}"
        : "=r"(same)
        : "r"(digit), "r"(1u << bit));
    lanes &= same;
  }
  return lanes;
}

// Puts the elements of this warp at their places in the sorted tile. next: for each digit, the place of this warp's
// next element with it. REQUIRES: all lanes call it.
template <class S>
__device__ void SortWarp(const uint32_t (&element)[S::kRows], Digit digit, unsigned* next, uint32_t* sorted) {
#pragma unroll
  for (unsigned row = 0; row < S::kRows; ++row) {
    const unsigned mine = digit.Of(element[row]), lanes = LanesWith(mine);
    const unsigned lanes_before = __popc(lanes & ((1u << threadIdx.x % 32) - 1));
    const unsigned place = next[mine];
    __syncwarp();  // all lanes have read the places
    if (lanes_before == 0) next[mine] = place + __popc(lanes);
    sorted[place + lanes_before] = element[row];
    __syncwarp();  // the next places are written
  }
}

// For thread d < kDigits: the sum of the values of all threads before it. REQUIRES: all threads of the block call it.
__device__ unsigned SumBefore(unsigned value) {
  __shared__ unsigned of_warp[kDigits / 32];
  const unsigned lane = threadIdx.x % 32, warp = threadIdx.x / 32;
  unsigned sum = value;
#pragma unroll
  for (unsigned distance = 1; distance < 32; distance *= 2) {
    const unsigned more = __shfl_up_sync(kAllLanes, sum, distance);
    if (lane >= distance) sum += more;
  }
  __syncthreads();  // the sums of an earlier call have been read
  if (lane == 31 && warp < kDigits / 32) of_warp[warp] = sum;
  __syncthreads();  // the sums of all warps are stored
  unsigned before = sum - value;
#pragma unroll
  for (unsigned w = 0; w < kDigits / 32; ++w) before += w < warp ? of_warp[w] : 0;
  return before;
}

// ELSE STARTER
// END SOLUTION
// d_counts[pass * kDigits + digit]: how often each digit of each pass occurs. REQUIRES: d_counts holds zeros.
__global__ void count_v5(const uint32_t* d_in, unsigned n, int passes, uint32_t key_mask, unsigned* d_counts) {
  // BEGIN SOLUTION
  __shared__ unsigned counts[kMostPasses * kDigits][kCopies];
  unsigned* const all_counts = &counts[0][0];
  for (unsigned i = threadIdx.x; i < kMostPasses * kDigits * kCopies; i += kCountThreads) all_counts[i] = 0;
  __syncthreads();  // the counters are cleared
  const unsigned copy = threadIdx.x % kCopies;
  const auto count = [&](uint32_t element) {
    element &= key_mask;
#pragma unroll
    for (int pass = 0; pass < kMostPasses; ++pass) {
      const unsigned digit = element >> pass * kDigitBits & (kDigits - 1);
      if (pass < passes) atomicAdd(&counts[pass * kDigits + digit][copy], 1u);
    }
  };
  const unsigned first = blockIdx.x * kCountThreads + threadIdx.x, stride = gridDim.x * kCountThreads;
  for (unsigned i = first; i < n / 4; i += stride) {
    const uint4 pack = reinterpret_cast<const uint4*>(d_in)[i];
    count(pack.x);
    count(pack.y);
    count(pack.z);
    count(pack.w);
  }
  if (first < n % 4) count(d_in[n / 4 * 4 + first]);
  __syncthreads();  // all threads have counted
  for (unsigned i = threadIdx.x; i < passes * kDigits; i += kCountThreads) {
    unsigned sum = 0;
    for (unsigned c = 0; c < kCopies; ++c) sum += counts[i][c];
    if (sum > 0) atomicAdd(&d_counts[i], sum);
  }
  // ELSE STARTER
  //| // TODO(v5) Produce: the histograms of all passes, in one run over the array.
  //| //   Constraint: bits above the key do not count (key_mask).
  //| //   Hint: lab7 v2, with four histograms of 256 bins.
  //| //   Check: ./warpgrade check lab10 v5
  // END SOLUTION
}

// BEGIN SOLUTION
// Where the run of this tile with this thread's digit begins in the array. Stores its end for the tiles behind it.
// REQUIRES: tile > 0.
template <class S>
__device__ unsigned LookBack(volatile unsigned* d_status, unsigned tile, unsigned sum) {
  unsigned before = 0, next = tile;  // the sum of the tiles from `next` up to this one
  for (bool is_end = false; !is_end;) {
    unsigned word[S::kLooks];  // several tiles at once, since each look takes long
#pragma unroll
    for (unsigned k = 0; k < S::kLooks; ++k) {
      word[k] = k < next ? d_status[(next - 1 - k) * kDigits + threadIdx.x] : 0;
    }
    bool goes_on = true;
#pragma unroll
    for (unsigned k = 0; k < S::kLooks; ++k) {
      goes_on = goes_on && !is_end && word[k] != 0;
      if (!goes_on) continue;
      before += word[k] & kNumber;
      is_end = (word[k] & kEnd) != 0;
      --next;
    }
  }
  d_status[tile * kDigits + threadIdx.x] = kEnd | (before + sum);
  return before;
}

// ELSE STARTER
// END SOLUTION
// One pass. One block for each tile. REQUIRES: *d_counter and d_status hold zeros.
// BEGIN SOLUTION
template <class S>
__global__ void __launch_bounds__(S::kThreads, S::kBlocks)
    sweep_v5(const uint32_t* d_from, uint32_t* d_to, unsigned n, Digit digit, const unsigned* d_counts,
             unsigned* d_counter, volatile unsigned* d_status) {
  extern __shared__ unsigned counts[];  // how often each warp has each digit; then where its next one goes
  uint32_t* const sorted = counts + S::kWarps * kDigits;
  __shared__ unsigned base[kDigits];
  __shared__ unsigned shared_tile;
  const unsigned lane = threadIdx.x % 32, warp = threadIdx.x / 32;
  // Tiles are numbered in the order in which blocks begin, so that a block waits only for blocks that run already.
  if (threadIdx.x == 0) shared_tile = atomicAdd(d_counter, 1u);
  for (unsigned i = threadIdx.x; i < S::kWarps * kDigits; i += S::kThreads) counts[i] = 0;
  __syncthreads();  // the tile's number is stored, and the counters are cleared
  const unsigned tile = shared_tile, begin = tile * S::kTile;

  uint32_t element[S::kRows];
#pragma unroll
  for (unsigned row = 0; row < S::kRows; ++row) {
    const unsigned i = begin + warp * (32 * S::kRows) + row * 32 + lane;
    element[row] = i < n ? d_from[i] : 0xffffffffu;  // past n: the last digit, after all that exists
  }
#pragma unroll
  for (unsigned row = 0; row < S::kRows; ++row) atomicAdd(&counts[warp * kDigits + digit.Of(element[row])], 1u);
  __syncthreads();  // all warps have counted

  // Thread d looks after digit d.
  unsigned sum = 0;
  if (threadIdx.x < kDigits) {
#pragma unroll
    for (unsigned w = 0; w < S::kWarps; ++w) {
      const unsigned count = counts[w * kDigits + threadIdx.x];
      counts[w * kDigits + threadIdx.x] = sum;
      sum += count;
    }
    if (tile > 0) d_status[tile * kDigits + threadIdx.x] = kSum | sum;
  }
  const unsigned begin_in_tile = SumBefore(sum);
  if (threadIdx.x < kDigits) {
#pragma unroll
    for (unsigned w = 0; w < S::kWarps; ++w) counts[w * kDigits + threadIdx.x] += begin_in_tile;
  }
  unsigned begin_in_array = 0;
  if (tile == 0) {
    begin_in_array = SumBefore(threadIdx.x < kDigits ? d_counts[threadIdx.x] : 0);
    if (threadIdx.x < kDigits) d_status[threadIdx.x] = kEnd | (begin_in_array + sum);
  }
  __syncthreads();  // the places of all warps are complete
  SortWarp<S>(element, digit, counts + warp * kDigits, sorted);
  if (threadIdx.x < kDigits) {
    if (tile > 0) begin_in_array = LookBack<S>(d_status, tile, sum);
    base[threadIdx.x] = begin_in_array - begin_in_tile;
  }
  __syncthreads();  // the tile is sorted, and all bases are known
  const unsigned count = min(n - begin, S::kTile);
#pragma unroll
  for (unsigned row = 0; row < S::kRows; ++row) {
    const unsigned i = row * S::kThreads + threadIdx.x;
    if (i < count) d_to[base[digit.Of(sorted[i])] + i] = sorted[i];
  }
}

// d_work: | n elements | counts of all passes | a counter for each pass | status words of each pass |
template <class S>
void Sort(const uint32_t* d_in, uint32_t* d_out, size_t n, int bits, uint32_t* d_work, cudaStream_t stream) {
  const int passes = (bits + kDigitBits - 1) / kDigitBits;
  const auto count = static_cast<unsigned>(n), tiles = static_cast<unsigned>(divide_up(n, S::kTile));
  const uint32_t key_mask = bits == 32 ? ~0u : (1u << bits) - 1;
  unsigned* const d_counts = d_work + n;
  unsigned* const d_counters = d_counts + kMostPasses * kDigits;
  unsigned* const d_status = d_counters + kMostPasses;
  cudaMemsetAsync(d_counts, 0, sizeof(unsigned) * (kMostPasses * (kDigits + 1) + size_t(passes) * tiles * kDigits),
                  stream);

  int device = 0, multiprocessors = 0;
  cudaGetDevice(&device);
  cudaDeviceGetAttribute(&multiprocessors, cudaDevAttrMultiProcessorCount, device);
  const unsigned blocks = std::min(kCountBlocks * static_cast<unsigned>(multiprocessors), tiles);
  count_v5<<<blocks, kCountThreads, 0, stream>>>(d_in, count, passes, key_mask, d_counts);

  // Asked only once, because the host takes long to answer.
  static const cudaError_t allowed =
      cudaFuncSetAttribute(sweep_v5<S>, cudaFuncAttributeMaxDynamicSharedMemorySize, S::kSharedBytes);
  if (allowed != cudaSuccess) return;
  const uint32_t* from = d_in;
  for (int pass = 0; pass < passes; ++pass) {
    uint32_t* const to = (passes - 1 - pass) % 2 == 0 ? d_out : d_work;
    const int shift = pass * kDigitBits;
    sweep_v5<S><<<tiles, S::kThreads, S::kSharedBytes, stream>>>(
        from, to, count, {shift, key_mask >> shift & (kDigits - 1)}, d_counts + pass * kDigits, d_counters + pass,
        d_status + size_t(pass) * tiles * kDigits);
    from = to;
  }
}

// ELSE STARTER
//| constexpr unsigned kThreads = 256;
//| constexpr unsigned kRows = 16;
//| __global__ void sweep_v5(const uint32_t* d_from, uint32_t* d_to, unsigned n, Digit digit, const unsigned* d_counts,
//|                          unsigned* d_counter, volatile unsigned* d_status) {
//|   // TODO(v5) Produce: the elements of one tile at their new places in d_to.
//|   //   Constraint: read each element once. A tile's number comes from *d_counter, not from blockIdx. Publish a
//|   //     status word for each digit as soon as the tile is counted, and read and write it in one piece.
//|   //   Hint: your kernel of v4 sorts the tile. Where a run begins comes from the tiles before, as in lab5 v6; for
//|   //     tile 0 it comes from d_counts. One thread for each digit looks back.
//|   //   Check: ./warpgrade check lab10 v5
//| }
// END SOLUTION
void sort_keys(const uint32_t* d_in, uint32_t* d_out, size_t n, int bits, uint32_t* d_work, cudaStream_t stream) {
  // BEGIN SOLUTION
  if (n > 0) Sort<Tuned>(d_in, d_out, n, bits, d_work, stream);
  // ELSE STARTER
  //| NOT_WRITTEN_YET();
  //| // TODO(v5) Produce: cleared counters and status words, a launch of count_v5, and one of sweep_v5 for each pass.
  //| //   Constraint: everything on `stream`. Each pass needs status words and a counter that hold zeros.
  //| //   Hint: one memset can clear those of all passes.
  //| //   Check: ./warpgrade check lab10 v5
  // END SOLUTION
}

LAB10_RUNG();
