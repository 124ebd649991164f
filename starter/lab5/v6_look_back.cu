// Generated from solutions/lab5/v6_look_back.cu by `warpgrade make-starter`; yours to edit.
// lab5 v6: a single pass with decoupled look-back.
//
// The weakness of v5: the array is read twice, since a block must know what comes before its chunk. Here a block reads
// its tile once and keeps it in registers. While it waits, it asks the tiles before it. The method is from Merrill and
// Garland, "Single-pass Parallel Prefix Scan with Decoupled Look-back", 2016. Each tile has a status word that says one
// of three things:
//
//   nothing            nobody knows anything about this tile yet
//   sum, value         value is the sum of this tile's elements
//   prefix, value      value is the sum of this tile's elements and of all before it
//
//   tile        40      41      42      43      44      45
//   status    prefix  prefix    sum     sum     sum   (we are 45)
//                       <-------<-------<-------<--  add sums until there is a prefix: 4 steps, or one look of a warp
//
// - The word has 64 bits, flag and value together, and is read and written in one piece. A reader that sees the flag
//   also sees the value, so no fence is needed.
// - A counter numbers the tiles in the order in which blocks begin. So a block waits only for blocks that already run,
//   whatever order the GPU starts them in.
// - d_work can hold any values. So the counter and the words are cleared first, by a memset on the same stream.
#include <cuda_pipeline.h>

#include <algorithm>

#include "labs/lab5/lab5.h"

[[maybe_unused]] constexpr unsigned kAllLanes = 0xffffffffu;

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

// One block for each tile. REQUIRES: *d_counter and all of d_status are 0; as many blocks as tiles.
template <typename T, ScanKind kind, class S>
__global__ void __launch_bounds__(S::kThreads, S::kBlocks)
    scan_v6(const T* d_in, T* d_out, size_t n, unsigned long long* d_status, unsigned* d_counter) {
  // TODO(v6) Produce: the scan of d_in in d_out, in one pass: each element is read once and written once.
  //   Constraint: one status word of 64 bits for each tile, with flag and value. Read and write it in one piece:
  //     volatile, or ld.relaxed and st.relaxed at gpu scope. An atomic counter numbers the tiles, not blockIdx.
  //   Hint: at first, look back one tile at a time, with one thread, until there is a prefix. What can you tell
  //     the blocks behind you before you know what comes before you?
  //   Check: ./warpgrade check lab5 v6
}

template <typename T>
void scan(const T* d_in, T* d_out, size_t n, ScanKind kind, T* d_work, cudaStream_t stream) {
  NOT_WRITTEN_YET();
  // TODO(v6) Produce: cleared status words and counter in d_work, and a launch of scan_v6, both on `stream`.
  //   Constraint: one block for each tile. Launch nothing when n is 0. d_work holds what your last call left
  //     there.
  //   Hint: use cudaMemsetAsync. A word of 0 should mean "nothing known".
  //   Check: ./warpgrade check lab5 v6
}

LAB5_INSTANTIATE();
