// arch: 80
// Threads leave a loop at different times and meet behind it, at a barrier of the warp and one of the block.
#include "program.h"

__global__ void Collatz(int* steps) {
  __shared__ int most[2];
  const int t = threadIdx.x;
  if (t < 2) most[t] = 0;
  __syncthreads();
  int n = t + 1, count = 0;
  while (n > 1) {
    n = n % 2 == 0 ? n / 2 : 3 * n + 1;
    ++count;
  }
  __syncwarp();
  const int best = __reduce_max_sync(0xffffffff, count);
  if (t % 32 == 0) most[t / 32] = best;
  __syncthreads();
  steps[t] = count + 1000 * max(most[0], most[1]);
}

int main() {
  int got[64], want[64], most = 0;
  for (int i = 0; i < 64; ++i) {
    want[i] = 0;
    for (int n = i + 1; n > 1; n = n % 2 == 0 ? n / 2 : 3 * n + 1) ++want[i];
    most = want[i] > most ? want[i] : most;
  }
  DeviceArray<int> steps(64);
  Collatz<<<1, 64>>>(steps);
  FINISH();
  steps.CopyTo(got);
  for (int i = 0; i < 64; ++i) EXPECT(got[i] == want[i] + 1000 * most);
  PrintOut(got, sizeof got);
  return 0;
}
