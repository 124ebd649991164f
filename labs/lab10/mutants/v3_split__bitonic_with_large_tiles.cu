// v2's bitonic network with tiles of 128 KB. For keys of fewer than 32 bits: v1's network on (key, place) in 64 bits.
#include "labs/lab10/lab10.h"
constexpr unsigned kTile = 32768, kThreads = 1024, kPairs = 16;
template <bool mirror>
__device__ void Pair(uint32_t* a, unsigned n, unsigned part, unsigned pair) {
  const unsigned distance = part / 2;
  const unsigned place = pair & (distance - 1), begin = 2 * (pair - place), left = begin + place;
  const unsigned right = mirror ? begin + part - 1 - place : left + distance;
  if (right >= n) return;
  const uint32_t x = a[left], y = a[right];
  if (x > y) {
    a[left] = y;
    a[right] = x;
  }
}
template <bool mirror>
__global__ void step(uint32_t* d_out, unsigned n, unsigned part) {
  for (unsigned j = 0; j < kPairs; ++j) Pair<mirror>(d_out, n, part, (blockIdx.x * kPairs + j) * 256 + threadIdx.x);
}
template <bool whole>
__global__ void __launch_bounds__(kThreads) tiles(const uint32_t* d_from, uint32_t* d_out, unsigned n) {
  extern __shared__ uint32_t tile[];
  const unsigned begin = blockIdx.x * kTile;
  for (unsigned i = threadIdx.x; i < kTile; i += kThreads) tile[i] = begin + i < n ? d_from[begin + i] : 0xffffffffu;
  __syncthreads();
  for (unsigned phase = whole ? 2 : kTile; phase <= kTile; phase *= 2) {
    for (unsigned part = phase; part >= 2; part /= 2) {
      for (unsigned p = threadIdx.x; p < kTile / 2; p += kThreads) {
        if (whole && part == phase)
          Pair<true>(tile, kTile, part, p);
        else
          Pair<false>(tile, kTile, part, p);
      }
      __syncthreads();
    }
  }
  for (unsigned i = threadIdx.x; i < kTile && begin + i < n; i += kThreads) d_out[begin + i] = tile[i];
}
// --- keys of part of the element
__global__ void pack(const uint32_t* in, unsigned long long* work, unsigned n, uint32_t mask) {
  const unsigned i = blockIdx.x * 256 + threadIdx.x;
  if (i < n) work[i] = (static_cast<unsigned long long>(in[i] & mask) << 32) | i;
}
__global__ void step64(unsigned long long* a, unsigned n, unsigned part, int mirror) {
  const unsigned pair = blockIdx.x * 256 + threadIdx.x, distance = part / 2;
  const unsigned place = pair & (distance - 1), begin = 2 * (pair - place), left = begin + place;
  const unsigned right = mirror ? begin + part - 1 - place : left + distance;
  if (right >= n) return;
  const unsigned long long x = a[left], y = a[right];
  if (x > y) {
    a[left] = y;
    a[right] = x;
  }
}
__global__ void unpack(const uint32_t* in, const unsigned long long* work, uint32_t* out, unsigned n) {
  const unsigned i = blockIdx.x * 256 + threadIdx.x;
  if (i < n) out[i] = in[static_cast<uint32_t>(work[i])];
}
void sort_keys(const uint32_t* d_in, uint32_t* d_out, size_t n, int bits, uint32_t* d_work, cudaStream_t stream) {
  if (n == 0) return;
  const auto count = static_cast<unsigned>(n);
  if (bits < 32) {
    auto* const w = reinterpret_cast<unsigned long long*>(d_work);
    const unsigned blocks = static_cast<unsigned>(divide_up(n, 256));
    pack<<<blocks, 256, 0, stream>>>(d_in, w, count, (1u << bits) - 1);
    size_t all = 1;
    while (all < n) all *= 2;
    for (unsigned phase = 2; phase <= all; phase *= 2)
      for (unsigned part = phase; part >= 2; part /= 2)
        step64<<<static_cast<unsigned>(divide_up(all / 2, 256)), 256, 0, stream>>>(w, count, part, part == phase);
    unpack<<<blocks, 256, 0, stream>>>(d_in, w, d_out, count);
    return;
  }
  const auto blocks = static_cast<unsigned>(divide_up(n, kTile));
  cudaFuncSetAttribute(tiles<true>, cudaFuncAttributeMaxDynamicSharedMemorySize, kTile * 4);
  cudaFuncSetAttribute(tiles<false>, cudaFuncAttributeMaxDynamicSharedMemorySize, kTile * 4);
  tiles<true><<<blocks, kThreads, kTile * 4, stream>>>(d_in, d_out, count);
  size_t all = kTile;
  while (all < n) all *= 2;
  const auto pair_blocks = static_cast<unsigned>(divide_up(all / 2, 256 * kPairs));
  for (unsigned phase = 2 * kTile; phase <= all; phase *= 2) {
    step<true><<<pair_blocks, 256, 0, stream>>>(d_out, count, phase);
    for (unsigned part = phase / 2; part > kTile; part /= 2)
      step<false><<<pair_blocks, 256, 0, stream>>>(d_out, count, part);
    tiles<false><<<blocks, kThreads, kTile * 4, stream>>>(d_out, d_out, count);
  }
}
LAB10_RUNG();
