// Compaction that keeps the order: ballots give places within a warp, a scan over warps within the block.
#include "feature.h"

constexpr int kThreads = 256;

__global__ void Compact(const int* in, int* out, int* counts, int n) {
  __shared__ int warp_count[kThreads / 32];
  const int i = blockIdx.x * kThreads + threadIdx.x, lane = threadIdx.x % 32, warp = threadIdx.x / 32;
  const bool keep = i < n && in[i] > 0;
  const unsigned votes = __ballot_sync(0xffffffff, keep);
  if (lane == 0) warp_count[warp] = __popc(votes);
  __syncthreads();
  int place = __popc(votes & ((1u << lane) - 1));
  for (int w = 0; w < warp; ++w) place += warp_count[w];
  if (keep) out[blockIdx.x * kThreads + place] = in[i];
  if (threadIdx.x == kThreads - 1) counts[blockIdx.x] = place + keep;
}

int main() {
  constexpr int kCount = 3001, kBlocks = (kCount + kThreads - 1) / kThreads;
  static int in[kCount], out[kBlocks * kThreads], got[kCount], want[kCount];
  int counts[kBlocks], kept = 0, wanted = 0;
  for (int i = 0; i < kCount; ++i) {
    in[i] = static_cast<int>(Mix(i)) >> 8;
    if (in[i] > 0) want[wanted++] = in[i];
  }
  DeviceArray<int> d_in(in, kCount), d_out(kBlocks * kThreads), d_counts(kBlocks);
  d_out.Fill(0);
  Compact<<<kBlocks, kThreads>>>(d_in, d_out, d_counts, kCount);
  FINISH();
  d_out.CopyTo(out);
  d_counts.CopyTo(counts);
  for (int b = 0; b < kBlocks; ++b) {
    for (int k = 0; k < counts[b]; ++k) got[kept++] = out[b * kThreads + k];
  }
  Expect(kept == wanted, "the number of kept elements");
  ExpectSame("kept", got, want, wanted);
  Out(got, wanted * sizeof(int));
  return Verdict();
}
