// The waiting block reads the flag as volatile, but the flag is raised by a plain store.
// expect: global-race at FAULT with OTHER
#include "program.h"

__global__ void Signal(int* flag, int* seen) {
  if (threadIdx.x > 0) return;
  if (blockIdx.x == 0) {
    *flag = 1;  // OTHER
  } else {
    const volatile int* watched = flag;
    while (*watched == 0) {  // FAULT
    }
    *seen = 1;
  }
}

int main() {
  DeviceArray<int> flag(1), seen(1);
  flag.Fill(0);
  Signal<<<2, 32>>>(flag, seen);
  FINISH();
  return 0;
}
