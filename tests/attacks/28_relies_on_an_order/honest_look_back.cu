// A single pass with look-back: a block waits for the results of the blocks before it.
#include <cuda_pipeline.h>

#include <algorithm>

#include "labs/lab5/lab5.h"

constexpr unsigned kAllLanes = 0xffffffffu;

// The tuning parameters. A thread holds kPacks packs of 4 neighbours.
//
//   kStages = 0   one block for each tile; while a block waits, the multiprocessor runs others
//   kStages > 0   a block processes many tiles and has kStages of them at a time: it scans one, and the others are in
//                 flight to shared memory
template <unsigned threads, unsigned packs, unsigned blocks, unsigned stages, bool streaming, unsigned wait_ns>
struct Shape {
  static constexpr unsigned kThreads = threads;
  static constexpr unsigned kPacks = packs;
  static constexpr unsigned kBlocks = blocks;  // at the same time on one multiprocessor
  static constexpr unsigned kStages = stages;
  static constexpr bool kStreaming = streaming;  // tells the caches that each element is used only once
  static constexpr unsigned kWaitNs = wait_ns;   // pause before a status that says nothing is read again

  static constexpr unsigned kWarps = threads / 32;
  static constexpr unsigned kTile = threads * packs * 4;  // elements
  static_assert(threads % 32 == 0 && kWarps <= 32 && kTile >= 256);
};

using Tuned = Shape<512, 20, 1, 0, false, 0>;
using TunedExclusive = Shape<512, 16, 1, 0, false, 0>;  // it keeps more in registers, so 20 packs do not fit

template <typename T>
struct alignas(16) Pack {
  T element[4];
};

// The inclusive scan of the 32 lanes' values. REQUIRES: all 32 lanes call it together.
template <typename T>
__device__ T warp_scan(T value) {
  const unsigned lane = threadIdx.x % 32;
#pragma unroll
  for (unsigned distance = 1; distance < 32; distance *= 2) {
    const T before = __shfl_up_sync(kAllLanes, value, distance);
    if (lane >= distance) value = before + value;
  }
  return value;
}

// The value of the lane before this one; 0 for lane 0. REQUIRES: all 32 lanes call it together.
template <typename T>
__device__ T one_lane_up(T value) {
  const T before = __shfl_up_sync(kAllLanes, value, 1);
  return threadIdx.x % 32 > 0 ? before : 0;
}

// The sum of the 32 lanes' values, in each of them. REQUIRES: all 32 lanes call it together.
template <typename T>
__device__ T warp_sum(T value) {
#pragma unroll
  for (unsigned distance = 16; distance > 0; distance /= 2) value += __shfl_xor_sync(kAllLanes, value, distance);
  return value;
}

// ---- status words ----

using Status = unsigned long long;  // the flag in the upper half, the bits of the value in the lower one
enum Flag : unsigned { kNothing = 0, kSum = 1, kPrefix = 2 };  // the memset makes all of them kNothing

__device__ inline unsigned bits_of(int value) { return static_cast<unsigned>(value); }
__device__ inline unsigned bits_of(float value) { return __float_as_uint(value); }
__device__ inline void from_bits(unsigned bits, int& value) { value = static_cast<int>(bits); }
__device__ inline void from_bits(unsigned bits, float& value) { value = __uint_as_float(bits); }

template <typename T>
__device__ Status make_status(Flag flag, T value) {
  return static_cast<Status>(flag) << 32 | bits_of(value);
}
__device__ inline Flag flag_of(Status status) { return static_cast<Flag>(status >> 32); }
template <typename T>
__device__ T value_of(Status status) {
  T value;
  from_bits(static_cast<unsigned>(status), value);
  return value;
}

// Atomic, so that all blocks see it. Accesses to different words have no order, and need none.
__device__ inline Status read_status(const Status* word) {
  Status status;
  asm volatile("ld.relaxed.gpu.global.u64 %0, [%1];" : "=l"(status) : "l"(word) : "memory");
  return status;
}
__device__ inline void write_status(Status* word, Status status) {
  asm volatile("st.relaxed.gpu.global.u64 [%0], %1;" ::"l"(word), "l"(status) : "memory");
}

// The sum of all elements before `tile`. REQUIRES: tile > 0; all 32 lanes of a warp call it together.
template <typename T, class S>
__device__ T look_back(const Status* d_status, size_t tile) {
  const unsigned lane = threadIdx.x % 32;
  T sum = 0;
  // Lane 0 reads the status of tile nearest - 1, lane 31 that of nearest - 32.
  for (size_t nearest = tile;; nearest -= 32) {
    const bool exists = nearest > lane;
    Status status = make_status(kPrefix, T(0));  // what a tile before the first one would have
    unsigned prefixes, wanted;
    while (true) {
      if (exists) status = read_status(d_status + (nearest - 1 - lane));
      prefixes = __ballot_sync(kAllLanes, flag_of(status) == kPrefix);
      const unsigned silent = __ballot_sync(kAllLanes, flag_of(status) == kNothing);
      // Add the lanes up to the nearest prefix, or all lanes if there is none.
      wanted = prefixes != 0 ? prefixes ^ (prefixes - 1) : kAllLanes;
      if ((silent & wanted) == 0) break;
      if (S::kWaitNs > 0) __nanosleep(S::kWaitNs);
    }
    sum = warp_sum<T>((wanted >> lane & 1) != 0 ? value_of<T>(status) : 0) + sum;
    if (prefixes != 0) return sum;
  }
}

// ---- a tile ----
//
// A warp has 128 * kPacks neighbouring elements. Pack j of lane l starts at 128 * j + 4 * l, so that a load of a warp
// is 512 bytes in a row:
//
//             lane 0      lane 1            lane 31
//   pack 0   [ . . . . ] [ . . . . ]  ...  [ . . . . ]
//   pack 1   [ . . . . ] [ . . . . ]  ...  [ . . . . ]

template <class S>
__device__ unsigned place_of_pack(unsigned j) {
  return threadIdx.x / 32 * (128 * S::kPacks) + 128 * j + 4 * (threadIdx.x % 32);
}

// This thread's packs of the tile that starts at d_in[begin]; 0 for elements from n on.
template <typename T, class S>
__device__ void load_tile(const T* d_in, size_t begin, size_t n, Pack<T> (&pack)[S::kPacks]) {
  if (begin + S::kTile <= n) {
#pragma unroll
    for (unsigned j = 0; j < S::kPacks; ++j) {
      const auto* const from = reinterpret_cast<const int4*>(d_in + begin + place_of_pack<S>(j));
      const int4 raw = S::kStreaming ? __ldcs(from) : *from;
      pack[j] = *reinterpret_cast<const Pack<T>*>(&raw);
    }
    return;
  }
#pragma unroll
  for (unsigned j = 0; j < S::kPacks; ++j) {  // only in the last tile: whole packs still travel as a whole
    const size_t first = begin + place_of_pack<S>(j);
    if (first + 4 <= n) {
      const int4 raw = *reinterpret_cast<const int4*>(d_in + first);
      pack[j] = *reinterpret_cast<const Pack<T>*>(&raw);
      continue;
    }
#pragma unroll
    for (unsigned k = 0; k < 4; ++k) pack[j].element[k] = first + k < n ? d_in[first + k] : 0;
  }
}

template <typename T, class S>
__device__ void store_tile(T* d_out, size_t begin, size_t n, const Pack<T> (&pack)[S::kPacks]) {
  if (begin + S::kTile <= n) {
#pragma unroll
    for (unsigned j = 0; j < S::kPacks; ++j) {
      auto* const to = reinterpret_cast<int4*>(d_out + begin + place_of_pack<S>(j));
      const int4 raw = *reinterpret_cast<const int4*>(&pack[j]);
      if (S::kStreaming) {
        __stcs(to, raw);
      } else {
        *to = raw;
      }
    }
    return;
  }
#pragma unroll
  for (unsigned j = 0; j < S::kPacks; ++j) {
    const size_t first = begin + place_of_pack<S>(j);
    if (first + 4 <= n) {
      *reinterpret_cast<int4*>(d_out + first) = *reinterpret_cast<const int4*>(&pack[j]);
      continue;
    }
#pragma unroll
    for (unsigned k = 0; k < 4; ++k) {
      if (first + k < n) d_out[first + k] = pack[j].element[k];
    }
  }
}

// What the warps of a block tell each other about a tile.
template <typename T, class S>
struct Exchange {
  T sum_of_warp[S::kWarps];
  T before_warp[S::kWarps];  // the sum from the start of the array
};

// Scans a tile in place, with all that comes before it. REQUIRES: all threads of the block call it together.
template <typename T, ScanKind kind, class S>
__device__ void scan_tile(Pack<T> (&pack)[S::kPacks], size_t tile, Status* d_status, Exchange<T, S>& exchange) {
  const unsigned lane = threadIdx.x % 32, warp = threadIdx.x / 32;

  // Turns each pack's sum into the sum of everything before the pack in the warp. The scans of different packs do not
  // wait for each other.
  T before_pack[S::kPacks];
  T before_row = 0;
#pragma unroll
  for (unsigned j = 0; j < S::kPacks; ++j) {
    const T(&e)[4] = pack[j].element;
    const T up_to_lane = warp_scan<T>((e[0] + e[1]) + (e[2] + e[3]));
    before_pack[j] = before_row + one_lane_up(up_to_lane);
    before_row += __shfl_sync(kAllLanes, up_to_lane, 31);
  }
  if (lane == 0) exchange.sum_of_warp[warp] = before_row;
  __syncthreads();  // the sums of all warps are stored, and all threads have read before_warp of the last tile

  if (warp == 0) {
    const T up_to_warp = warp_scan<T>(lane < S::kWarps ? exchange.sum_of_warp[lane] : 0);
    const T before_warp = one_lane_up(up_to_warp);
    const T sum = __shfl_sync(kAllLanes, up_to_warp, 31);
    // Publish this tile's sum at once, so that later tiles need not wait. Then look at the earlier tiles.
    if (lane == 0) write_status(d_status + tile, make_status(tile == 0 ? kPrefix : kSum, sum));
    T before_tile = 0;
    if (tile > 0) {
      before_tile = look_back<T, S>(d_status, tile);
      if (lane == 0) write_status(d_status + tile, make_status(kPrefix, before_tile + sum));
    }
    if (lane < S::kWarps) exchange.before_warp[lane] = before_tile + before_warp;
  }
  __syncthreads();  // before_warp is stored, and the sums have been read

  const T before_warp = exchange.before_warp[warp];
#pragma unroll
  for (unsigned j = 0; j < S::kPacks; ++j) {
    T running = before_warp + before_pack[j];
#pragma unroll
    for (unsigned k = 0; k < 4; ++k) {
      const T before = running;
      running += pack[j].element[k];
      pack[j].element[k] = kind == ScanKind::kInclusive ? running : before;
    }
  }
}

// One block for each tile. REQUIRES: *d_counter and all of d_status are 0; as many blocks as tiles.
template <typename T, ScanKind kind, class S>
__global__ void __launch_bounds__(S::kThreads, S::kBlocks)
    scan_v6(const T* d_in, T* d_out, size_t n, unsigned long long* d_status, unsigned* d_counter) {
  __shared__ unsigned shared_tile;
  __shared__ Exchange<T, S> exchange;
  if (threadIdx.x == 0) shared_tile = atomicAdd(d_counter, 1u);
  __syncthreads();  // the number is stored
  const size_t tile = shared_tile;

  Pack<T> pack[S::kPacks];
  load_tile<T, S>(d_in, tile * S::kTile, n, pack);
  scan_tile<T, kind, S>(pack, tile, d_status, exchange);
  store_tile<T, S>(d_out, tile * S::kTile, n, pack);
}

// The same with blocks that process many tiles. While a block scans one tile and waits for the tiles before it, its
// next tiles are in flight to shared memory. A thread copies what it will read itself. So it needs no barrier, and only
// waits for its own copies.
//
// A block takes the number of a tile kStages - 1 tiles ahead. Nevertheless nobody waits for ever: the unfinished tile
// with the lowest number is the one that its block works on, because that block's earlier tiles have lower numbers
// still.
template <typename T, ScanKind kind, class S>
__global__ void __launch_bounds__(S::kThreads, S::kBlocks)
    scan_v6_ahead(const T* d_in, T* d_out, size_t n, unsigned tiles, Status* d_status, unsigned* d_counter) {
  constexpr unsigned kStages = S::kStages > 0 ? S::kStages : 1;
  extern __shared__ int4 stage_memory[];  // kStages tiles
  __shared__ unsigned taken[kStages + 1];
  __shared__ Exchange<T, S> exchange;
  auto* const stages = reinterpret_cast<Pack<T>*>(stage_memory);
  constexpr unsigned kPacksOfTile = S::kTile / 4;

  // Starts the copies of a whole tile. A partial tile is loaded when it is scanned, and tiles past the end are not
  // loaded.
  const auto ask = [&](size_t tile, unsigned stage) {
    if ((tile + 1) * S::kTile <= n) {
#pragma unroll
      for (unsigned j = 0; j < S::kPacks; ++j) {
        const unsigned place = place_of_pack<S>(j);
        __pipeline_memcpy_async(&stages[stage * kPacksOfTile + place / 4], d_in + tile * S::kTile + place, 16);
      }
    }
    __pipeline_commit();
  };

  if (threadIdx.x == 0) {
    for (unsigned s = 0; s < kStages; ++s) taken[s] = atomicAdd(d_counter, 1u);
  }
  __syncthreads();  // the numbers of the first tiles are stored
  for (unsigned s = 0; s + 1 < kStages; ++s) ask(taken[s], s);

  unsigned slot = 0, stage = 0;  // of the tile that is scanned now: its places in `taken` and in `stages`
  while (true) {
    const size_t tile = taken[slot];
    if (tile >= tiles) return;  // the same for all threads
    // The last number that is known, and the stage that this same thread read one iteration ago.
    const unsigned last_slot = (slot + kStages - 1) % (kStages + 1);
    const unsigned free_slot = (slot + kStages) % (kStages + 1);
    ask(taken[last_slot], (stage + kStages - 1) % kStages);
    __pipeline_wait_prior(kStages - 1);  // this thread's packs of this tile have arrived

    Pack<T> pack[S::kPacks];
    if ((tile + 1) * S::kTile <= n) {
#pragma unroll
      for (unsigned j = 0; j < S::kPacks; ++j) pack[j] = stages[stage * kPacksOfTile + place_of_pack<S>(j) / 4];
    } else {
      load_tile<T, S>(d_in, tile * S::kTile, n, pack);
    }
    // A tile number for later. Nobody reads this slot before the second barrier in scan_tile. The last thread that read
    // its old number has passed a barrier since.
    if (threadIdx.x == S::kThreads - 1) taken[free_slot] = atomicAdd(d_counter, 1u);
    scan_tile<T, kind, S>(pack, tile, d_status, exchange);
    store_tile<T, S>(d_out, tile * S::kTile, n, pack);
    slot = (slot + 1) % (kStages + 1);
    stage = (stage + 1) % kStages;
  }
}

// How many of these blocks the GPU holds at the same time.
template <class S, typename Kernel>
unsigned BlocksThatStay(Kernel kernel, size_t shared_bytes) {
  int device = 0, multiprocessors = 0, per_multiprocessor = 0;
  cudaGetDevice(&device);
  cudaDeviceGetAttribute(&multiprocessors, cudaDevAttrMultiProcessorCount, device);
  cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, static_cast<int>(shared_bytes));
  cudaOccupancyMaxActiveBlocksPerMultiprocessor(&per_multiprocessor, kernel, S::kThreads, shared_bytes);
  return static_cast<unsigned>(multiprocessors * (per_multiprocessor > 0 ? per_multiprocessor : 1));
}

// d_work: | counter, 16 bytes | a status word for each tile |
template <class S, ScanKind kind, typename T>
void Launch(const T* d_in, T* d_out, size_t n, T* d_work, cudaStream_t stream) {
  const size_t tiles = divide_up(n, S::kTile);
  const auto blocks = static_cast<unsigned>(tiles);
  auto* const d_counter = reinterpret_cast<unsigned*>(d_work);
  auto* const d_status = reinterpret_cast<Status*>(d_work) + 2;
  cudaMemsetAsync(d_work, 0, (tiles + 2) * sizeof(Status), stream);
  if constexpr (S::kStages == 0) {
    scan_v6<T, kind, S><<<blocks, S::kThreads, 0, stream>>>(d_in, d_out, n, d_status, d_counter);
  } else {
    const size_t shared_bytes = size_t{S::kStages} * S::kTile * sizeof(T);
    const auto kernel = scan_v6_ahead<T, kind, S>;
    // Asked only once, because the host takes long to answer.
    static const unsigned room = BlocksThatStay<S>(kernel, shared_bytes);
    kernel<<<std::min(blocks, room), S::kThreads, shared_bytes, stream>>>(d_in, d_out, n, blocks, d_status, d_counter);
  }
}

template <typename T>
void scan(const T* d_in, T* d_out, size_t n, ScanKind kind, T* d_work, cudaStream_t stream) {
  if (n == 0) return;
  if (kind == ScanKind::kInclusive) {
    Launch<Tuned, ScanKind::kInclusive>(d_in, d_out, n, d_work, stream);
  } else {
    Launch<TunedExclusive, ScanKind::kExclusive>(d_in, d_out, n, d_work, stream);
  }
}

LAB5_INSTANTIATE();
