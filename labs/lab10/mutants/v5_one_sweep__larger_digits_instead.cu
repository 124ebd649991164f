// v3's and v4's idea (count, then move; the array is read twice; stores scattered from registers), with digits of 11
// bits, and no scan launch: each block adds up all counts before it. No look-back, no sorted tiles.
#include "labs/lab10/lab10.h"
constexpr unsigned kBits = 11, kDigits = 1u << kBits, kThreads = 256, kWarps = 8, kRows = 16, kTile = kThreads * kRows,
                   kAll = ~0u;
__global__ void count(const uint32_t* from, unsigned n, int shift, unsigned mask, unsigned* counts) {
  __shared__ unsigned c[kDigits];
  for (unsigned i = threadIdx.x; i < kDigits; i += kThreads) c[i] = 0;
  __syncthreads();
  for (unsigned r = 0; r < kRows; ++r) {
    const unsigned i = blockIdx.x * kTile + r * kThreads + threadIdx.x;
    if (i < n) atomicAdd(&c[from[i] >> shift & mask], 1u);
  }
  __syncthreads();
  for (unsigned i = threadIdx.x; i < kDigits; i += kThreads) counts[blockIdx.x * kDigits + i] = c[i];
}
__global__ void move(const uint32_t* from, uint32_t* to, unsigned n, int shift, unsigned mask, const unsigned* counts,
                     unsigned tiles) {
  extern __shared__ unsigned next[];  // [warp][digit]
  __shared__ unsigned sums[kThreads];
  const unsigned lane = threadIdx.x % 32, warp = threadIdx.x / 32;
  for (unsigned i = threadIdx.x; i < kWarps * kDigits; i += kThreads) next[i] = 0;
  __syncthreads();
  uint32_t e[kRows];
  for (unsigned r = 0; r < kRows; ++r) {
    const unsigned i = blockIdx.x * kTile + warp * 32 * kRows + r * 32 + lane;
    e[r] = i < n ? from[i] : 0;
    if (i < n) atomicAdd(&next[warp * kDigits + (e[r] >> shift & mask)], 1u);
  }
  // this thread has 8 digits
  unsigned total[8], before[8], mine = 0;
  for (unsigned d = 0; d < 8; ++d) {
    total[d] = before[d] = 0;
    for (unsigned t = 0; t < tiles; ++t) {
      const unsigned c = counts[t * kDigits + threadIdx.x * 8 + d];
      total[d] += c;
      if (t < blockIdx.x) before[d] += c;
    }
    mine += total[d];
  }
  sums[threadIdx.x] = mine;
  __syncthreads();
  unsigned base = 0;
  for (unsigned t = 0; t < threadIdx.x; ++t) base += sums[t];
  for (unsigned d = 0; d < 8; ++d) {
    unsigned place = base + before[d];
    for (unsigned w = 0; w < kWarps; ++w) {
      unsigned& x = next[w * kDigits + threadIdx.x * 8 + d];
      const unsigned c = x;
      x = place;
      place += c;
    }
    base += total[d];
  }
  __syncthreads();
  for (unsigned r = 0; r < kRows; ++r) {
    const unsigned i = blockIdx.x * kTile + warp * 32 * kRows + r * 32 + lane;
    const unsigned digit = i < n ? (e[r] >> shift & mask) : kDigits;
    unsigned lanes = kAll;
    for (unsigned b = 0; b <= kBits; ++b) {
      const bool one = (digit >> b & 1) != 0;
      const unsigned ones = __ballot_sync(kAll, one);
      lanes &= one ? ones : ~ones;
    }
    const unsigned lanes_before = __popc(lanes & ((1u << lane) - 1));
    unsigned place = 0;
    if (i < n) place = next[warp * kDigits + digit];
    __syncwarp();
    if (i < n && lanes_before == 0) next[warp * kDigits + digit] = place + __popc(lanes);
    __syncwarp();
    if (i < n) to[place + lanes_before] = e[r];
  }
}
void sort_keys(const uint32_t* d_in, uint32_t* d_out, size_t n, int bits, uint32_t* d_work, cudaStream_t stream) {
  if (n == 0) return;
  const auto c = static_cast<unsigned>(n), tiles = static_cast<unsigned>(divide_up(n, kTile));
  cudaFuncSetAttribute(move, cudaFuncAttributeMaxDynamicSharedMemorySize, kWarps * kDigits * 4);
  const int passes = (bits + kBits - 1) / kBits;
  unsigned* const counts = d_work + n;
  const uint32_t* from = d_in;
  for (int p = 0; p < passes; ++p) {
    uint32_t* const to = (passes - 1 - p) % 2 == 0 ? d_out : d_work;
    const int shift = p * kBits, left = bits - shift;
    const unsigned mask = left < static_cast<int>(kBits) ? (1u << left) - 1 : kDigits - 1;
    count<<<tiles, kThreads, 0, stream>>>(from, c, shift, mask, counts);
    move<<<tiles, kThreads, kWarps * kDigits * 4, stream>>>(from, to, c, shift, mask, counts, tiles);
    from = to;
  }
}
LAB10_RUNG();
