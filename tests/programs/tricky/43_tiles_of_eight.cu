// Groups of eight lanes exchange through shared memory and wait for each other only.
#include <cooperative_groups.h>

#include "program.h"

namespace cg = cooperative_groups;

__global__ void SortEights(int* values) {
  __shared__ int shared[64];
  const auto group = cg::tiled_partition<8>(cg::this_thread_block());
  int* own = shared + threadIdx.x / 8 * 8;
  const int rank = group.thread_rank();
  int v = values[threadIdx.x];
  for (int round = 0; round < 8; ++round) {
    own[rank] = v;
    group.sync();
    const int partner = (rank + round) % 2 == 0 ? rank + 1 : rank - 1;
    const int other = partner >= 0 && partner < 8 ? own[partner] : v;
    v = partner > rank ? min(v, other) : max(v, other);
    group.sync();
  }
  values[threadIdx.x] = v;
}

int main() {
  int host[64], got[64];
  for (int i = 0; i < 64; ++i) host[i] = (i * 37) % 64;
  DeviceArray<int> values(64);
  values.CopyFrom(host);
  SortEights<<<1, 64>>>(values);
  FINISH();
  values.CopyTo(got);
  for (int i = 0; i < 64; ++i) EXPECT(i % 8 == 0 || got[i - 1] <= got[i]);
  PrintOut(got, sizeof got);
  return 0;
}
