// A shuffle that names all lanes, in a branch that half of them take.
// expect: wrong-member-mask at FAULT
#include "program.h"

__global__ void FoldHalf(const int* in, int* out) {
  const int lane = threadIdx.x;
  int v = in[lane];
  if (lane < 16) {
    v += __shfl_down_sync(0xffffffff, v, 8);  // FAULT
    out[lane] = v;
  }
}

int main() {
  DeviceArray<int> in(32), out(32);
  in.Fill(0);
  FoldHalf<<<1, 32>>>(in, out);
  FINISH();
  return 0;
}
