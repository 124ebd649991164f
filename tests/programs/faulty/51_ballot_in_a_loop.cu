// A vote of all lanes in a loop that some leave earlier than others, and then wait behind it.
// expect: wrong-member-mask at FAULT
#include "program.h"

__global__ void CountSteps(const int* from, int* steps) {
  const int lane = threadIdx.x;
  int v = from[lane], count = 0;
  while (v > 1) {
    v = v % 2 == 0 ? v / 2 : 3 * v + 1;
    if (__any_sync(0xffffffff, v > 1000)) count += 1;  // FAULT
    count += 1;
  }
  __syncwarp();
  steps[lane] = count;
}

int main() {
  static int host[32];
  for (int i = 0; i < 32; ++i) host[i] = i + 1;
  DeviceArray<int> from(32), steps(32);
  from.CopyFrom(host);
  CountSteps<<<1, 32>>>(from, steps);
  FINISH();
  return 0;
}
