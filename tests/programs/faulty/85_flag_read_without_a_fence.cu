// The flag is raised after a fence, but the reader has none: its read of the data may come before that of the flag.
// expect: global-race at FAULT with OTHER
#include "program.h"

__global__ void HandOver(int* data, volatile int* flag, int* out) {
  if (threadIdx.x > 0) return;
  if (blockIdx.x == 0) {
    *data = 6;  // OTHER
    __threadfence();
    *flag = 1;
  } else {
    while (*flag == 0) {
    }
    *out = *data;  // FAULT
  }
}

int main() {
  DeviceArray<int> data(1), flag(1), out(1);
  flag.Fill(0);
  HandOver<<<2, 32>>>(data, flag, out);
  FINISH();
  return 0;
}
