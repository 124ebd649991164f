// Shuffles and votes in both ways of a branch, each naming exactly the lanes that took it.
#include "program.h"

__global__ void Groups(const int* in, int* out) {
  const int lane = threadIdx.x;
  int v = in[lane];
  const unsigned odd = __ballot_sync(0xffffffff, v % 2 != 0);
  if (v % 2 != 0) {
    const int leader = __ffs(odd) - 1;
    v += 100 * __shfl_sync(odd, v, leader);
  } else {
    if (__all_sync(~odd, v < 1000)) v = -v;
  }
  __syncwarp();
  if (lane < 16) {
    v += __shfl_xor_sync(0x0000ffff, v, 8);
  } else {
    v += __shfl_xor_sync(0xffff0000, v, 4);
  }
  out[lane] = v;
}

int main() {
  int host[32], step[32], got[32];
  for (int i = 0; i < 32; ++i) host[i] = (i * 7 + 2) % 32;
  int leader = 0;
  while (host[leader] % 2 == 0) ++leader;
  for (int i = 0; i < 32; ++i) step[i] = host[i] % 2 != 0 ? host[i] + 100 * host[leader] : -host[i];
  DeviceArray<int> in(32), out(32);
  in.CopyFrom(host);
  Groups<<<1, 32>>>(in, out);
  FINISH();
  out.CopyTo(got);
  for (int i = 0; i < 32; ++i) EXPECT(got[i] == step[i] + step[i < 16 ? i ^ 8 : i ^ 4]);
  PrintOut(got, sizeof got);
  return 0;
}
