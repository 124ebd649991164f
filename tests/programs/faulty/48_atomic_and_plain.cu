// A progress counter that is raised by atomics and read by a plain load of another block.
// expect: global-race at FAULT with OTHER
#include "program.h"

__global__ void Work(int* done, int* half_way) {
  if (threadIdx.x > 0) return;
  if (blockIdx.x < 7) {
    atomicAdd(done, 1);  // OTHER
  } else {
    *half_way = *done >= 4;  // FAULT
  }
}

int main() {
  DeviceArray<int> done(1), half_way(1);
  done.Fill(0);
  Work<<<8, 32>>>(done, half_way);
  FINISH();
  return 0;
}
