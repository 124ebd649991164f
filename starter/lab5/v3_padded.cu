// Generated from solutions/lab5/v3_padded.cu by `warpgrade make-starter`; yours to edit.
// lab5 v3: without bank conflicts.
//
// The weakness of v2: pairs are 2, 4, 8, ... words apart. So the lanes of a warp use only 16, 8, 4, ... of the 32
// banks, and shared memory needs 2, 4, 8, ... turns. Here an empty word after every 32 words moves each row of words on
// by one bank.
#include "labs/lab5/lab5.h"
#include "labs/lab5/levels.h"

constexpr unsigned kThreads = 256;
constexpr unsigned kElements = 2 * kThreads;  // elements of a block: each thread has a pair
[[maybe_unused]] constexpr unsigned kBanks = 32;


// Scans the 512 elements of a block, and writes their sum to d_sums[blockIdx.x].
template <typename T>
__global__ void scan_block_v3(const T* d_in, T* d_out, size_t n, ScanKind kind, T* d_sums) {
  // TODO(v3) Produce: what v2 produced, without bank conflicts.
  //   Constraint: shared_bank_conflicts is 0 on the way up, on the way down, and when you fill and read the tree.
  //   Hint: the bank of a word is its index modulo 32. Write down the banks of 32 pairs that are 2, 4, ... 64
  //     words apart. Where would an empty word now and then help?
  //   Check: ./warpgrade check lab5 v3
}

template <typename T>
void scan(const T* d_in, T* d_out, size_t n, ScanKind kind, T* d_work, cudaStream_t stream) {
  NOT_WRITTEN_YET();  // delete this line when you start
  scan_in_levels(d_in, d_out, n, kind, d_work, kElements, stream,
                 [stream](const T* in, T* out, size_t count, ScanKind k, T* sums, unsigned blocks) {
                   scan_block_v3<<<blocks, kThreads, 0, stream>>>(in, out, count, k, sums);
                 });
}

LAB5_INSTANTIATE();
