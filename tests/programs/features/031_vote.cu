// Votes over a warp: all, any and ballot, by full masks, by half a warp, and by a last warp that is not full.
#include "feature.h"

__global__ void Vote(const int* in, unsigned* out, int n) {
  const int i = threadIdx.x;
  const unsigned members = __ballot_sync(0xffffffff, i < n);
  if (i >= n) return;
  unsigned* row = out + 5 * i;
  row[0] = __all_sync(members, in[i] > 2);
  row[1] = __any_sync(members, in[i] > 97);
  row[2] = __ballot_sync(members, in[i] % 3 == 0);
  const unsigned half = i % 32 < 16 ? members & 0x0000ffff : members & 0xffff0000;
  row[3] = __ballot_sync(half, in[i] % 2);
  row[4] = members;
}

int main() {
  constexpr int kThreads = 128, kCount = 109;
  int in[kCount];
  unsigned got[5 * kCount], want[5 * kCount];
  for (int i = 0; i < kCount; ++i) in[i] = Mix(i) % 100;
  for (int i = 0; i < kCount; ++i) {
    unsigned* row = want + 5 * i;
    row[0] = 1;
    row[1] = row[2] = row[3] = row[4] = 0;
    for (int lane = 0; lane < 32; ++lane) {
      const int k = i / 32 * 32 + lane;
      if (k >= kCount) continue;
      row[0] &= in[k] > 2;
      row[1] |= in[k] > 97;
      row[2] |= static_cast<unsigned>(in[k] % 3 == 0) << lane;
      if (lane / 16 == i % 32 / 16) row[3] |= static_cast<unsigned>(in[k] % 2) << lane;
      row[4] |= 1u << lane;
    }
  }
  DeviceArray<int> d_in(in, kCount);
  DeviceArray<unsigned> d_out(5 * kCount);
  Vote<<<1, kThreads>>>(d_in, d_out, kCount);
  FINISH();
  d_out.CopyTo(got);
  ExpectSame("out", got, want, 5 * kCount);
  Out(got, sizeof got);
  return Verdict();
}
