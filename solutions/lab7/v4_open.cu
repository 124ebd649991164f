// lab7 v4: open. As near to reading the input once as you can, whatever the values are.
//
// The weaknesses of v3: lanes of a warp that hold different values use the same banks of shared memory. With random
// bytes, 3 or 4 of the 32 counters are in the fullest bank, so the other lanes wait. And loads of four bytes keep few
// bytes under way.
// BEGIN SOLUTION
// Here:
//
//   1. Every lane has a copy of the counters of its own. Copies lie side by side, not one after the other:
//
//                     lane 0   lane 1   lane 2  ...  lane 31
//        value 0     [   0   |    1   |    2  | ... |   31  ]      the number is the word in shared memory, and
//        value 1     [  32   |   33   |   34  | ... |   63  ]      word % 32 is its bank: a lane never leaves its
//        value 2     [  64   |   65   |   66  | ... |   95  ]      own bank, so that no two lanes meet, whatever
//          ...                                                     the values are
//
//      The same lane of another warp has the same copy, so additions must still be atomic. With more than 256 bins
//      there is no room for 32 copies. Then there are fewer, and lanes share them.
//   2. A thread asks for kLoads packs of 16 bytes before it uses the first of them.
//   3. A pack that holds one value only is one addition.
// ELSE STARTER
//| //
//| // Only the contract is given here. Use any kernels, as many as you like, with any blocks.
// END SOLUTION
#include "labs/lab7/lab7.h"
// BEGIN SOLUTION

// The tuning parameters; labs/lab7/tune.cu tries other values. kCopies is a power of 2 and at most 32, one copy for
// each lane. kMergeRuns switches item 3 on. With kIncrement, the code adds the constant 1. nvcc turns this into
// ATOMS.POPC.INC, one instruction that counts all lanes with the same counter. Without it, the code adds a number from
// a register: ATOMS.ADD.
template <int kThreads_, int kBlocksPerMultiprocessor_, int kLoads_, int kCopies_, bool kMergeRuns_, bool kIncrement_>
struct Shape {
  static constexpr int kThreads = kThreads_, kBlocksPerMultiprocessor = kBlocksPerMultiprocessor_;
  static constexpr int kLoads = kLoads_, kCopies = kCopies_;
  static constexpr bool kMergeRuns = kMergeRuns_, kIncrement = kIncrement_;
  static constexpr int kTile = kThreads * kLoads;  // packs that a block loads at a time
  static_assert(kThreads % 32 == 0 && 32 % kCopies == 0, "whole warps, copies for groups of lanes");
};

using Tuned = Shape<512, 3, 2, 32, true, true>;

constexpr int kMostCounters = 8192;  // of a block, 32 KB: 32 copies of 256, or 2 of 4096
constexpr size_t kFewestTiles = 2;   // of a block, if n has that many: clearing and adding up cost as much as a tile

// 16 bytes: the most that one load instruction takes.
struct alignas(16) Pack {
  unsigned word[4];
};

template <typename T>
constexpr int kPerPack = sizeof(Pack) / sizeof(T);

// Bytes always use 256 counters, whatever `bins` is, so that they need no check.
template <typename T>
__host__ __device__ int Counters(int bins) {
  return sizeof(T) == 1 ? 256 : bins;
}

// Element number k of a pack. Call it with constants.
template <typename T>
__device__ __forceinline__ int Element(const Pack& pack, int k) {
  if constexpr (sizeof(T) == 1) return pack.word[k / 4] >> (8 * (k % 4)) & 255;
  return static_cast<int>(pack.word[k % 4]);
}

// True if all elements of a pack are equal.
template <typename T>
__device__ __forceinline__ bool IsRun(const Pack& pack) {
  const unsigned word = pack.word[0];
  unsigned differences = (word ^ pack.word[1]) | (word ^ pack.word[2]) | (word ^ pack.word[3]);
  if (sizeof(T) == 1) differences |= word ^ __funnelshift_l(word, word, 8);
  return differences == 0;
}

// What one lane counts with: its copy of the counters. All offsets are in bytes. The offset of a value and the offset
// of the lane have no bit in common, so a shift and one logical operation compute the address of a byte's counter.
template <typename T, class S, int kCopies>
struct Tally {
  char* counts;
  unsigned lane_offset;  // of counter 0 of this lane's copy
  int counters;
  unsigned one;  // the number 1, in a register

  __device__ __forceinline__ void Add(int value, unsigned times) const {
    if (sizeof(T) == 1 || static_cast<unsigned>(value) < static_cast<unsigned>(counters)) {
      const unsigned offset = static_cast<unsigned>(value) * (kCopies * sizeof(unsigned)) | lane_offset;
      atomicAdd(reinterpret_cast<unsigned*>(counts + offset), times);
    }
  }

  __device__ __forceinline__ void AddPack(const Pack& pack) const {
    if (S::kMergeRuns && IsRun<T>(pack)) return Add(Element<T>(pack, 0), kPerPack<T>);
#pragma unroll
    for (int k = 0; k < kPerPack<T>; ++k) Add(Element<T>(pack, k), S::kIncrement ? 1u : one);
  }
};

// REQUIRES: d_bins holds zeros; one is 1. Shared memory: Counters<T>(bins) * kCopies words.
template <typename T, class S, int kCopies>
__global__ void __launch_bounds__(S::kThreads, S::kBlocksPerMultiprocessor)
    histogram_v4(const T* d_in, size_t n, unsigned* d_bins, int bins, unsigned one) {
  extern __shared__ unsigned counts[];
  const int counters = Counters<T>(bins);
  for (int i = threadIdx.x; i < counters * kCopies; i += S::kThreads) counts[i] = 0;
  __syncthreads();  // all counters are cleared before any thread counts

  const unsigned lane_offset = threadIdx.x % kCopies * sizeof(unsigned);
  const Tally<T, S, kCopies> tally = {reinterpret_cast<char*>(counts), lane_offset, counters, one};
  const Pack* const d_packs = reinterpret_cast<const Pack*>(d_in);
  const size_t packs = n / kPerPack<T>;
  const size_t tiles = packs / S::kTile;
  for (size_t tile = blockIdx.x; tile < tiles; tile += gridDim.x) {
    const Pack* const from = d_packs + tile * S::kTile + threadIdx.x;
    Pack pack[S::kLoads];
#pragma unroll
    for (int l = 0; l < S::kLoads; ++l) pack[l] = from[l * S::kThreads];
#pragma unroll
    for (int l = 0; l < S::kLoads; ++l) tally.AddPack(pack[l]);
  }
  // The rest: packs that do not fill a tile, and elements that do not fill a pack.
  const size_t stride = size_t{gridDim.x} * S::kThreads;
  for (size_t i = tiles * S::kTile + size_t{blockIdx.x} * S::kThreads + threadIdx.x; i < packs; i += stride) {
    tally.AddPack(d_packs[i]);
  }
  if (blockIdx.x == 0 && threadIdx.x < n % kPerPack<T>) tally.Add(d_in[packs * kPerPack<T> + threadIdx.x], 1);
  __syncthreads();  // all threads have counted before any thread reads the counters

  // Neighbouring threads have neighbouring bins, whose copies are kCopies words apart. If all threads began with copy
  // 0, they would use the same bank. So each thread begins with another copy.
  for (int bin = threadIdx.x; bin < counters && bin < bins; bin += S::kThreads) {
    unsigned sum = 0;
#pragma unroll
    for (int k = 0; k < kCopies; ++k) sum += counts[bin * kCopies + (bin / (32 / kCopies) + k) % kCopies];
    if (sum > 0) atomicAdd(&d_bins[bin], sum);
  }
}

template <typename T, class S, int kCopies>
void LaunchWith(const T* d_in, size_t n, unsigned* d_bins, int bins, cudaStream_t stream) {
  int device = 0, multiprocessors = 0;
  cudaGetDevice(&device);
  cudaDeviceGetAttribute(&multiprocessors, cudaDevAttrMultiProcessorCount, device);
  const size_t most = size_t(multiprocessors) * S::kBlocksPerMultiprocessor;
  const size_t useful = lab7::DivideUp(n, kFewestTiles * S::kTile * kPerPack<T>);
  const unsigned blocks = static_cast<unsigned>(useful < most ? useful : most);
  const size_t shared_bytes = size_t(Counters<T>(bins)) * kCopies * sizeof(unsigned);
  histogram_v4<T, S, kCopies><<<blocks, S::kThreads, shared_bytes, stream>>>(d_in, n, d_bins, bins, 1u);
}

// Uses as many copies as S wants, or fewer if there is no room.
template <typename T, class S, int kCopies = S::kCopies>
void Launch(const T* d_in, size_t n, unsigned* d_bins, int bins, cudaStream_t stream) {
  if constexpr (sizeof(T) > 1 && kCopies > 2) {
    if (bins * kCopies > kMostCounters) return Launch<T, S, kCopies / 2>(d_in, n, d_bins, bins, stream);
  }
  LaunchWith<T, S, kCopies>(d_in, n, d_bins, bins, stream);
}
// ELSE STARTER
// END SOLUTION

template <typename T>
void histogram(const T* d_in, size_t n, unsigned* d_bins, int bins, cudaStream_t stream) {
  // BEGIN SOLUTION
  cudaMemsetAsync(d_bins, 0, bins * sizeof(unsigned), stream);
  if (n > 0) Launch<T, Tuned>(d_in, n, d_bins, bins, stream);
  // ELSE STARTER
  //| NOT_WRITTEN_YET();
  //| // TODO(v4) Produce: what v3 produced.
  //| //   Constraint: the contract in lab7.h.
  //| //   Hint: which bank is a counter in, and how can you choose it? How many bytes are under way at any time?
  //| //   Check: ./warpgrade check lab7 v4
  // END SOLUTION
}

LAB7_RUNG();
