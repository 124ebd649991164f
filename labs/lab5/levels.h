// Given for v1 to v4: makes a scan of the whole array from the scans of its blocks. You write the kernel for one block.
//
//   d_in      [ 3 1 7 0 | 4 1 6 3 | 2 5 1 1 ]     n elements, here 4 in a block
//                 |          |         |          your kernel: scans each block alone, and stores its sum
//   d_out     [ 3 4 11 11 | 4 5 11 14 | 2 7 8 9 ]
//   d_sums    [ 11 14 9 ]
//                 |                               the same for the sums, exclusive: one level up
//   d_before  [ 0 11 25 ]                         what comes before each block
//                 |                               added to each of its elements
//   d_out     [ 3 4 11 11 | 15 16 22 25 | 27 32 33 34 ]
#pragma once

#include "labs/lab5/lab5.h"

// Adds to each element what comes before its block.
template <typename T>
__global__ void add_before(T* d_out, size_t n, const T* d_before, size_t per_block) {
  const size_t i = size_t{blockIdx.x} * blockDim.x + threadIdx.x;
  if (i < n) d_out[i] = d_before[i / per_block] + d_out[i];
}

// Scans n elements with a kernel for blocks of per_block elements. Calls
//     launch(d_in, d_out, n, kind, d_sums, blocks)
// once per level. It must launch `blocks` blocks. Block b scans d_in[b * per_block] ..
// d_in[min((b + 1) * per_block, n) - 1] and writes the sums to the same places of d_out, as if these were the first
// elements. It writes the sum of its elements to d_sums[b].
// REQUIRES: per_block >= 256 (else d_work is too small).
template <typename T, typename Launch>
void scan_in_levels(const T* d_in, T* d_out, size_t n, ScanKind kind, T* d_work, size_t per_block, cudaStream_t stream,
                    Launch launch) {
  if (n == 0) return;
  const size_t blocks = divide_up(n, per_block);
  T* const d_sums = d_work;
  T* const d_before = d_sums + blocks;
  launch(d_in, d_out, n, kind, d_sums, static_cast<unsigned>(blocks));
  if (blocks == 1) return;
  scan_in_levels(d_sums, d_before, blocks, ScanKind::kExclusive, d_before + blocks, per_block, stream, launch);
  constexpr unsigned kThreads = 256;
  add_before<<<static_cast<unsigned>(divide_up(n, kThreads)), kThreads, 0, stream>>>(d_out, n, d_before, per_block);
}
