// A group of whatever lanes are in the branch: it numbers them, shuffles among them and waits for them.
#include <cooperative_groups.h>

#include "program.h"

namespace cg = cooperative_groups;

__global__ void Ranks(int* out) {
  const int lane = threadIdx.x;
  out[lane] = -1;
  if (lane % 3 == 1) {
    const cg::coalesced_group group = cg::coalesced_threads();
    const int next = group.shfl(lane, (group.thread_rank() + 1) % group.size());
    group.sync();
    out[lane] = 100 * group.thread_rank() + next;
  }
}

int main() {
  int got[32];
  DeviceArray<int> out(32);
  Ranks<<<1, 32>>>(out);
  FINISH();
  out.CopyTo(got);
  for (int i = 0; i < 32; ++i) {
    const int next = i + 3 < 32 ? i + 3 : 1;
    EXPECT(got[i] == (i % 3 == 1 ? 100 * (i / 3) + next : -1));
  }
  PrintOut(got, sizeof got);
  return 0;
}
