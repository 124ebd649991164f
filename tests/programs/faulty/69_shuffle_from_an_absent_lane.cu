// The lower half of a warp asks a lane of the upper half, which does not take part.
// expect: wrong-member-mask at FAULT
#include "program.h"

__global__ void FromAbove(const int* in, int* out) {
  const int lane = threadIdx.x;
  int v = in[lane];
  if (lane < 16) {
    v = __shfl_down_sync(0x0000ffff, v, 16);  // FAULT
    out[lane] = v;
  }
}

int main() {
  DeviceArray<int> in(32), out(16);
  in.Fill(0);
  FromAbove<<<1, 32>>>(in, out);
  FINISH();
  return 0;
}
