// Generated from solutions/lab5/v5_three_phases.cu by `warpgrade make-starter`; yours to edit.
// lab5 v5: three phases.
//
// The weakness of v4: the array travels through memory four times. The blocks read it and write it. Then it is read and
// written once more, to add what comes before each block. Here phase 1 only adds, and writes almost nothing. Phase 3
// scans when it already knows what comes before. So the array travels three times instead of four. There are three
// launches, however large n is:
//
//   d_in      [  chunk 0  |  chunk 1  |  chunk 2  ]    a chunk for each block: as many as the GPU holds
//   phase 1        sum         sum         sum         reads n
//   phase 2       [ before 0 | before 1 | before 2 ]   one block scans the sums of the chunks
//   phase 3       scan        scan        scan         reads n, writes n
//
// A block goes through its chunk tile by tile. Each thread takes 4 neighbours at a time with one load of 16 bytes.
#include "labs/lab5/lab5.h"

constexpr unsigned kThreads = 256;
constexpr unsigned kPerThread = 4;  // neighbours: 16 bytes
[[maybe_unused]] constexpr unsigned kTile = kThreads * kPerThread;
[[maybe_unused]] constexpr unsigned kMaxChunks = 1056;  // 8 blocks on each of the 132 multiprocessors of an H200
[[maybe_unused]] constexpr unsigned kWarps = kThreads / 32;
[[maybe_unused]] constexpr unsigned kAllLanes = 0xffffffffu;

// TODO(v5) Produce: the kernels of the three phases. Phase 2 can be phase 3 with a single chunk: the sums.
//   Constraint: 3 launches. The array is read twice and written once. Each thread takes several elements.
//   Hint: first write a scan of one value per thread for a whole block, as in v4. A thread with 4 neighbours
//     gives it their sum. What does a block carry from one tile of its chunk to the next?
//   Check: ./warpgrade check lab5 v5

template <typename T>
void scan(const T* d_in, T* d_out, size_t n, ScanKind kind, T* d_work, cudaStream_t stream) {
  NOT_WRITTEN_YET();
  // TODO(v5) Produce: the launches of the three phases on `stream`, with the sums of the chunks in d_work.
  //   Constraint: at most kMaxChunks chunks, each of whole tiles. Launch nothing when n is 0.
  //   Hint: how many tiles are there, and how many tiles must a chunk have?
  //   Check: ./warpgrade check lab5 v5
}

LAB5_INSTANTIATE();
