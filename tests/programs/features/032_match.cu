// __match_any_sync finds the lanes that hold the same value, __match_all_sync whether all do; 32 and 64 bits.
#include "feature.h"

__global__ void Match(const int* in, unsigned* out) {
  const int i = threadIdx.x;
  const unsigned all = 0xffffffff;
  int uniform = -1;
  unsigned* row = out + 5 * i;
  row[0] = __match_any_sync(all, in[i]);
  row[1] = __match_any_sync(all, static_cast<unsigned long long>(in[i]) << 32 | 7);
  row[2] = __match_all_sync(all, in[i / 32], &uniform);
  row[3] = uniform;
  row[4] = __match_all_sync(all, in[i] * 1.5, &uniform) ^ uniform;
}

int main() {
  constexpr int kCount = 64;
  int in[kCount];
  unsigned got[5 * kCount], want[5 * kCount];
  for (int i = 0; i < kCount; ++i) in[i] = i < 32 ? Mix(i) % 6 : 4;  // the second warp is uniform
  for (int i = 0; i < kCount; ++i) {
    unsigned same = 0;
    for (int lane = 0; lane < 32; ++lane) same |= static_cast<unsigned>(in[i / 32 * 32 + lane] == in[i]) << lane;
    unsigned* row = want + 5 * i;
    row[0] = row[1] = same;
    row[2] = ~0u;
    row[3] = 1;
    row[4] = i < 32 ? 0 : ~1u;
  }
  DeviceArray<int> d_in(in, kCount);
  DeviceArray<unsigned> d_out(5 * kCount);
  Match<<<1, kCount>>>(d_in, d_out);
  FINISH();
  d_out.CopyTo(got);
  ExpectSame("out", got, want, 5 * kCount);
  Out(got, sizeof got);
  return Verdict();
}
