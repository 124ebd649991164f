// Warp shuffles of every mode: from an index, up, down and across, whole warps and parts of 8, and of 64-bit values.
#include "feature.h"

__global__ void Shuffle(int* out, double* wide) {
  const unsigned all = 0xffffffff;
  const int lane = threadIdx.x % 32, value = 100 + lane;
  int* row = out + lane;
  row[0] = __shfl_sync(all, value, (lane * 5 + 3) % 32);
  row[32] = __shfl_up_sync(all, value, 3);
  row[64] = __shfl_down_sync(all, value, 7);
  row[96] = __shfl_xor_sync(all, value, 17);
  row[128] = __shfl_sync(all, value, 2, 8);
  row[160] = __shfl_up_sync(all, value, 3, 8);
  row[192] = __shfl_down_sync(all, value, 3, 8);
  row[224] = __shfl_xor_sync(all, value, 12, 16);
  if (lane % 2 == 0)
    row[256] = __shfl_xor_sync(0x55555555, value, 2);  // the even lanes among themselves
  else
    row[256] = __shfl_sync(0xaaaaaaaa, value, 31);
  wide[lane] = __shfl_down_sync(all, 1.0 / value, 1);
  long long sum = value;
  for (int step = 16; step > 0; step /= 2) sum += __shfl_xor_sync(all, sum, step);
  row[288] = sum;
}

int main() {
  int got[320], want[320];
  double wide[32], wanted_wide[32];
  for (int lane = 0; lane < 32; ++lane) {
    const int part = lane / 8 * 8;
    const int source[9] = {(lane * 5 + 3) % 32,
                           lane >= 3 ? lane - 3 : lane,
                           lane + 7 < 32 ? lane + 7 : lane,
                           lane ^ 17,
                           part + 2,
                           lane - part >= 3 ? lane - 3 : lane,
                           lane - part + 3 < 8 ? lane + 3 : lane,
                           lane ^ 12,
                           lane % 2 == 0 ? lane ^ 2 : 31};
    for (int k = 0; k < 9; ++k) want[32 * k + lane] = 100 + source[k];
    want[288 + lane] = 32 * 100 + 31 * 32 / 2;
    wanted_wide[lane] = 1.0 / (100 + (lane < 31 ? lane + 1 : lane));
  }
  DeviceArray<int> d_out(320);
  DeviceArray<double> d_wide(32);
  Shuffle<<<1, 32>>>(d_out, d_wide);
  FINISH();
  d_out.CopyTo(got);
  d_wide.CopyTo(wide);
  ExpectSame("out", got, want, 320);
  ExpectSame("wide", wide, wanted_wide, 32);
  Out(got, sizeof got);
  Out(wide, sizeof wide);
  return Verdict();
}
