// Generated from solutions/lab5/v6_look_back.cu by `warpgrade make-starter`; yours to edit.
// lab5 v6: a single pass with decoupled look-back.
//
// The fault of v5: the array is read twice, since a block has to know what comes before its chunk. Here a block reads a
// tile once, keeps it in registers, and asks those before it while it waits (Merrill and Garland, "Single-pass Parallel
// Prefix Scan with Decoupled Look-back", 2016). Each tile has a status word that says one of three things:
//
//   nothing            nobody knows anything about this tile yet
//   sum, value         value is the sum of this tile's elements
//   prefix, value      value is the sum of this tile's elements and of all before it
//
//   tile        40      41      42      43      44      45
//   status    prefix  prefix    sum     sum     sum   (we are 45)
//                       <-------<-------<-------<--  add sums until there is a prefix: 4 steps, or one look of a warp
//
// - The word is 64 bits, flag and value in one, and it is read and written in one piece: who sees the flag sees the
// value.
//   No fence is needed, and nothing is torn.
// - Tiles are numbered in the order in which blocks begin, by a counter. So a block waits only for blocks that run
// already,
//   in whatever order the GPU starts them.
// - d_work holds garbage: counter and words are cleared first, by a memset on the same stream.
#include <cuda_pipeline.h>

#include <algorithm>

#include "labs/lab5/lab5.h"

[[maybe_unused]] constexpr unsigned kAllLanes = 0xffffffffu;

// What there is to choose. A thread holds kPacks packs of 4 neighbours.
//
//   kStages = 0   a block for each tile; the multiprocessor has others to run while one waits
//   kStages > 0   blocks that stay, each with kStages tiles: one that it scans, and those that are on their way to
//                 shared memory meanwhile
template <unsigned threads, unsigned packs, unsigned blocks, unsigned stages, bool streaming, unsigned wait_ns>
struct Shape {
  static constexpr unsigned kThreads = threads;
  static constexpr unsigned kPacks = packs;
  static constexpr unsigned kBlocks = blocks;  // that a multiprocessor shall have room for at once
  static constexpr unsigned kStages = stages;
  static constexpr bool kStreaming = streaming;  // tell the caches that nothing is used twice
  static constexpr unsigned kWaitNs = wait_ns;   // before a status that says nothing is read again

  static constexpr unsigned kWarps = threads / 32;
  static constexpr unsigned kTile = threads * packs * 4;  // elements
  static_assert(threads % 32 == 0 && kWarps <= 32 && kTile >= 256);
};

using Tuned = Shape<512, 20, 1, 0, false, 0>;
using TunedExclusive =
    Shape<512, 16, 1, 0, false, 0>;  // which keeps more in registers: with 20 packs they do not suffice

// A block for each tile. REQUIRES: *d_counter and all of d_status are 0; as many blocks as tiles.
template <typename T, ScanKind kind, class S>
__global__ void __launch_bounds__(S::kThreads, S::kBlocks)
    scan_v6(const T* d_in, T* d_out, size_t n, unsigned long long* d_status, unsigned* d_counter) {
  // TODO(v6) Produce: the scan of d_in in d_out, in one pass: each element is read once and written once.
  //   Constraint: a status word of 64 bits for each tile, flag and value in one, read and written whole (volatile,
  //     or ld.relaxed and st.relaxed at gpu scope); tiles numbered by an atomic counter, not by blockIdx.
  //   Hint: look back one tile at a time at first, with one thread, until there is a prefix. What may you tell
  //     those behind you before you know what is before you?
  //   Check: ./warpgrade check lab5 v6
}

template <typename T>
void scan(const T* d_in, T* d_out, size_t n, ScanKind kind, T* d_work, cudaStream_t stream) {
  NOT_WRITTEN_YET();
  // TODO(v6) Produce: cleared status words and counter in d_work, and a launch of scan_v6, both on `stream`.
  //   Constraint: one block for each tile; n = 0 is no launch; d_work holds what your last call left there.
  //   Hint: cudaMemsetAsync. A word of 0 should say "nothing known".
  //   Check: ./warpgrade check lab5 v6
}

LAB5_INSTANTIATE();
