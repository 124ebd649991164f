// Cooperative groups: blocks cut into tiles of 4 and 16 threads that shuffle, vote and reduce among themselves.
#include <cooperative_groups.h>

#include "feature.h"
namespace cg = cooperative_groups;

__global__ void InTiles(const int* in, int* out) {
  const cg::thread_block block = cg::this_thread_block();
  const auto tile = cg::tiled_partition<16>(block);
  const auto quad = cg::tiled_partition<4>(tile);
  const int i = block.thread_rank();
  int sum = in[i];
  for (int step = tile.size() / 2; step > 0; step /= 2) sum += tile.shfl_down(sum, step);
  sum = tile.shfl(sum, 0);
  int* row = out + 6 * i;
  row[0] = sum;
  row[1] = quad.shfl_xor(in[i], 3);
  row[2] = tile.ballot(in[i] % 2 == 0);
  row[3] = quad.any(in[i] % 7 == 0) + 2 * quad.all(in[i] > 10);
  row[4] = tile.thread_rank() * 1000 + tile.meta_group_rank() * 10 + quad.meta_group_rank();
  row[5] = block.group_index().x * 1000 + block.thread_index().x * tile.meta_group_size();
  block.sync();
}

int main() {
  constexpr int kCount = 64;
  int in[kCount], got[6 * kCount], want[6 * kCount];
  for (int i = 0; i < kCount; ++i) in[i] = Mix(i) % 100;
  for (int i = 0; i < kCount; ++i) {
    int* row = want + 6 * i;
    row[0] = row[2] = 0;
    for (int k = 0; k < 16; ++k) {
      row[0] += in[i / 16 * 16 + k];
      row[2] |= (in[i / 16 * 16 + k] % 2 == 0) << k;
    }
    row[1] = in[i ^ 3];
    bool any = false, all = true;
    for (int k = i / 4 * 4; k < i / 4 * 4 + 4; ++k) any = any || in[k] % 7 == 0, all = all && in[k] > 10;
    row[3] = any + 2 * all;
    row[4] = i % 16 * 1000 + i / 16 * 10 + i % 16 / 4;
    row[5] = i * (kCount / 16);
  }
  DeviceArray<int> d_in(in, kCount), d_out(6 * kCount);
  InTiles<<<1, kCount>>>(d_in, d_out);
  FINISH();
  d_out.CopyTo(got);
  ExpectSame("out", got, want, 6 * kCount);
  Out(got, sizeof got);
  return Verdict();
}
