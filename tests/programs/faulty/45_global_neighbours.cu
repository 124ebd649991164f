// Threads of one block exchange values through global memory without a barrier.
// expect: global-race at FAULT with OTHER
#include "program.h"

__global__ void Exchange(int* values, int* out) {
  const int t = threadIdx.x;
  values[t] = t * t;        // OTHER
  out[t] = values[t ^ 64];  // FAULT
}

int main() {
  DeviceArray<int> values(128), out(128);
  Exchange<<<1, 128>>>(values, out);
  FINISH();
  return 0;
}
