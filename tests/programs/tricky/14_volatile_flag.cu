// A volatile flag with a fence before it is raised and one after it is seen.
#include "program.h"

__global__ void HandOver(int* data, volatile int* flag, int* out) {
  if (threadIdx.x > 0) return;
  if (blockIdx.x == 0) {
    data[0] = 6;
    data[1] = 7;
    __threadfence();
    *flag = 1;
  } else {
    while (*flag == 0) {
    }
    __threadfence();
    *out = data[0] * data[1];
  }
}

int main() {
  DeviceArray<int> data(2), flag(1), out(1);
  flag.Fill(0);
  HandOver<<<2, 32>>>(data, flag, out);
  FINISH();
  int got = 0;
  out.CopyTo(&got);
  EXPECT(got == 42);
  PrintOut(&got, sizeof got);
  return 0;
}
