// Generated from solutions/lab5/v2_blelloch.cu by `warpgrade make-starter`; yours to edit.
// lab5 v2: Blelloch's work-efficient scan.
//
// The weakness of v1: it needs 1793 additions for 256 elements, 7 for each, and a loop needs only 255. v1 has few steps
// but much work. Here sums go up a tree of pairs. Then the sums of what comes before go down the tree. That takes 2
// additions for each element.
#include "labs/lab5/lab5.h"
#include "labs/lab5/levels.h"

constexpr unsigned kThreads = 256;
constexpr unsigned kElements = 2 * kThreads;  // elements of a block: each thread has a pair

// Scans the 512 elements of a block, and writes their sum to d_sums[blockIdx.x].
template <typename T>
__global__ void scan_block_v2(const T* d_in, T* d_out, size_t n, ScanKind kind, T* d_sums) {
  // TODO(v2) Produce: what v1 produced, for two elements per thread.
  //   Constraint: about 2 additions per element: up a tree of pairs in __shared__ memory, and down again.
  //   Hint: number the pairs of a level from 0; thread p works on pair p. Write down both places of pair p for
  //     distance 1, 2 and 4. On the way down each place holds the sum of what comes before its part of the tree.
  //   Check: ./warpgrade check lab5 v2
}

template <typename T>
void scan(const T* d_in, T* d_out, size_t n, ScanKind kind, T* d_work, cudaStream_t stream) {
  NOT_WRITTEN_YET();  // delete this line when you start
  scan_in_levels(d_in, d_out, n, kind, d_work, kElements, stream,
                 [stream](const T* in, T* out, size_t count, ScanKind k, T* sums, unsigned blocks) {
                   scan_block_v2<<<blocks, kThreads, 0, stream>>>(in, out, count, k, sums);
                 });
}

LAB5_INSTANTIATE();
