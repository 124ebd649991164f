// Sixteen lanes are named and thirty-two take part.
// expect: wrong-member-mask at FAULT
#include "program.h"

__global__ void Sum16(int* values) {
  int v = values[threadIdx.x];
  v += __shfl_xor_sync(0x0000ffff, v, 8);  // FAULT
  values[threadIdx.x] = v;
}

int main() {
  DeviceArray<int> values(32);
  values.Fill(0);
  Sum16<<<1, 32>>>(values);
  FINISH();
  return 0;
}
