// arch: 80
// cuda::pipeline: while a block works on one tile, the next is on its way from global to shared memory.
#include <cooperative_groups.h>

#include <cuda/pipeline>

#include "feature.h"

constexpr int kTile = 128;

__global__ void SumTiles(const int* in, int* out, int tiles) {
  __shared__ int stage[2][kTile];
#pragma nv_diag_suppress static_var_with_dynamic_init
  __shared__ cuda::pipeline_shared_state<cuda::thread_scope_block, 2> state;
  const auto block = cooperative_groups::this_thread_block();
  auto pipeline = cuda::make_pipeline(block, &state);
  const int* mine = in + blockIdx.x * tiles * kTile;
  int sum = 0;
  for (int next = 0, tile = 0; tile < tiles; ++tile) {
    for (; next < tiles && next < tile + 2; ++next) {
      pipeline.producer_acquire();
      cuda::memcpy_async(block, stage[next % 2], mine + next * kTile, sizeof stage[0], pipeline);
      pipeline.producer_commit();
    }
    pipeline.consumer_wait();
    sum = sum * 3 + stage[tile % 2][kTile - 1 - threadIdx.x];
    pipeline.consumer_release();
  }
  out[blockIdx.x * kTile + threadIdx.x] = sum;
}

int main() {
  constexpr int kBlocks = 4, kTiles = 6, kCount = kBlocks * kTiles * kTile;
  static int in[kCount];
  int got[kBlocks * kTile], want[kBlocks * kTile];
  for (int i = 0; i < kCount; ++i) in[i] = Mix(i) % 100000;
  for (int i = 0; i < kBlocks * kTile; ++i) {
    want[i] = 0;
    for (int tile = 0; tile < kTiles; ++tile) {
      want[i] = want[i] * 3 + in[(i / kTile * kTiles + tile) * kTile + kTile - 1 - i % kTile];
    }
  }
  DeviceArray<int> d_in(in, kCount), d_out(kBlocks * kTile);
  SumTiles<<<kBlocks, kTile>>>(d_in, d_out, kTiles);
  FINISH();
  d_out.CopyTo(got);
  ExpectSame("out", got, want, kBlocks * kTile);
  Out(got, sizeof got);
  return Verdict();
}
