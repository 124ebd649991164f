// Generated from solutions/lab5/v1_hillis_steele.cu by `warpgrade make-starter`; yours to edit.
// lab5 v1: Hillis and Steele.
//
// The fault of a loop on one core: every sum waits for the one before it, n additions one after another. Here all
// threads add at once, over a distance that doubles with every step: 8 steps for 256 elements.
#include "labs/lab5/lab5.h"
#include "labs/lab5/levels.h"

constexpr unsigned kThreads = 256;  // one element for each

// Scans the 256 elements of a block, and writes their sum to d_sums[blockIdx.x].
template <typename T>
__global__ void scan_block_v1(const T* d_in, T* d_out, size_t n, ScanKind kind, T* d_sums) {
  // TODO(v1) Produce: the scan of this block's elements in d_out, and their sum in d_sums[blockIdx.x].
  //   Constraint: log2(256) steps in __shared__ memory; in each, every thread adds what lies `distance` before its
  //     own; one barrier for each step; n need not be a multiple of 256.
  //   Hint: whose sum of the last step do you read, and may its owner have replaced it by then? Use two buffers.
  //   Check: ./warpgrade check lab5 v1
}

template <typename T>
void scan(const T* d_in, T* d_out, size_t n, ScanKind kind, T* d_work, cudaStream_t stream) {
  NOT_WRITTEN_YET();  // delete this line when you start
  scan_in_levels(d_in, d_out, n, kind, d_work, kThreads, stream,
                 [stream](const T* in, T* out, size_t count, ScanKind k, T* sums, unsigned blocks) {
                   scan_block_v1<<<blocks, kThreads, 0, stream>>>(in, out, count, k, sums);
                 });
}

LAB5_INSTANTIATE();
