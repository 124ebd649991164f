// Whole warps return before the block's last barrier. Since Volta a barrier waits for the threads that have not exited,
// so that this is allowed, if not pretty.
#include "program.h"

__global__ void ReverseHead(int* values, int n) {
  __shared__ int tile[128];
  const int t = threadIdx.x;
  if (t >= n) return;
  tile[t] = values[t];
  __syncthreads();
  values[t] = tile[n - 1 - t];
}

int main() {
  int host[128], got[128];
  for (int i = 0; i < 128; ++i) host[i] = i;
  DeviceArray<int> values(128);
  values.CopyFrom(host);
  ReverseHead<<<1, 128>>>(values, 64);
  FINISH();
  values.CopyTo(got);
  for (int i = 0; i < 128; ++i) EXPECT(got[i] == (i < 64 ? 63 - i : i));
  PrintOut(got, sizeof got);
  return 0;
}
