// arch: 80
// Reductions over a warp in one instruction: sum, least, greatest, and, or, xor, among the lanes of a mask.
#include "feature.h"

__global__ void Redux(const int* in, int* out) {
  const int lane = threadIdx.x, value = in[lane];
  const unsigned third = lane % 3 == 0 ? 0x49249249 : lane % 3 == 1 ? 0x92492492 : 0x24924924;
  int* row = out + 8 * lane;
  row[0] = __reduce_add_sync(0xffffffff, value);
  row[1] = __reduce_min_sync(0xffffffff, value);
  row[2] = __reduce_max_sync(0xffffffff, value);
  row[3] = __reduce_max_sync(0xffffffff, static_cast<unsigned>(value));
  if (lane % 3 == 0)
    row[4] = __reduce_add_sync(third, static_cast<unsigned>(value));
  else if (lane % 3 == 1)
    row[4] = __reduce_min_sync(third, static_cast<unsigned>(value));
  else
    row[4] = __reduce_xor_sync(third, static_cast<unsigned>(value));
  row[5] = __reduce_and_sync(0xffffffff, static_cast<unsigned>(value) | 0x10);
  row[6] = __reduce_or_sync(0xffffffff, static_cast<unsigned>(value) & 0x0f0f0f0f);
  row[7] = __reduce_xor_sync(0xffffffff, static_cast<unsigned>(value));
}

int main() {
  int in[32], got[256], want[256];
  unsigned sum = 0, umax = 0, all = ~0u, any = 0, odd = 0, sum0 = 0, min1 = ~0u, xor2 = 0;
  int least = INT32_MAX, greatest = INT32_MIN;
  for (int lane = 0; lane < 32; ++lane) {
    in[lane] = static_cast<int>(Mix(lane));
    const unsigned u = in[lane];
    sum += u;
    odd ^= u;
    all &= u | 0x10;
    any |= u & 0x0f0f0f0f;
    if (u > umax) umax = u;
    if (in[lane] < least) least = in[lane];
    if (in[lane] > greatest) greatest = in[lane];
    if (lane % 3 == 0) sum0 += u;
    if (lane % 3 == 1 && u < min1) min1 = u;
    if (lane % 3 == 2) xor2 ^= u;
  }
  for (int lane = 0; lane < 32; ++lane) {
    const unsigned thirds[3] = {sum0, min1, xor2};
    const unsigned row[8] = {
        sum, static_cast<unsigned>(least), static_cast<unsigned>(greatest), umax, thirds[lane % 3], all, any, odd};
    for (int k = 0; k < 8; ++k) want[8 * lane + k] = static_cast<int>(row[k]);
  }
  DeviceArray<int> d_in(in, 32), d_out(256);
  Redux<<<1, 32>>>(d_in, d_out);
  FINISH();
  d_out.CopyTo(got);
  ExpectSame("out", got, want, 256);
  Out(got, sizeof got);
  return Verdict();
}
