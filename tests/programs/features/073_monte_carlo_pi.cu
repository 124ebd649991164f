// Pi by throwing darts: a 64-bit linear congruential generator for each thread and whole-number arithmetic throughout.
#include "feature.h"

__host__ __device__ unsigned Throw(unsigned thread, int darts) {
  uint64_t state = (static_cast<uint64_t>(Mix(thread)) << 32 | Mix(thread + 1000003)) | 1;
  unsigned hits = 0;
  for (int d = 0; d < darts; ++d) {
    state = state * 6364136223846793005ull + 1442695040888963407ull;
    const uint64_t x = state >> 49;
    state = state * 6364136223846793005ull + 1442695040888963407ull;
    const uint64_t y = state >> 49;
    hits += x * x + y * y < (uint64_t{1} << 30);
  }
  return hits;
}

__global__ void Throws(unsigned long long* hits, int darts) {
  __shared__ unsigned block_hits;
  if (threadIdx.x == 0) block_hits = 0;
  __syncthreads();
  atomicAdd(&block_hits, Throw(blockIdx.x * blockDim.x + threadIdx.x, darts));
  __syncthreads();
  if (threadIdx.x == 0) atomicAdd(hits, block_hits);
}

int main() {
  constexpr int kBlocks = 16, kThreads = 256, kDarts = 32;
  DeviceArray<unsigned long long> d_hits(1);
  d_hits.Fill(0);
  Throws<<<kBlocks, kThreads>>>(d_hits, kDarts);
  FINISH();
  unsigned long long hits = 0, want = 0;
  d_hits.CopyTo(&hits);
  for (int t = 0; t < kBlocks * kThreads; ++t) want += Throw(t, kDarts);
  Expect(hits == want, "as many hits as on the host");
  const double pi = 4.0 * hits / (kBlocks * kThreads * kDarts);
  Expect(std::fabs(pi - 3.14159265) < 0.02, "near pi");
  Out(&hits, sizeof hits);
  return Verdict();
}
