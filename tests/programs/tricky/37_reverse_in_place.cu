// A reversal in place without a barrier, over several blocks: the two elements of a pair belong to one thread.
#include "program.h"

__global__ void Reverse(int* values, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n / 2) return;
  const int low = values[i], high = values[n - 1 - i];
  values[i] = high;
  values[n - 1 - i] = low;
}

int main() {
  constexpr int kCount = 1001;
  static int host[kCount], got[kCount];
  for (int i = 0; i < kCount; ++i) host[i] = i;
  DeviceArray<int> values(kCount);
  values.CopyFrom(host);
  Reverse<<<8, 64>>>(values, kCount);
  FINISH();
  values.CopyTo(got);
  for (int i = 0; i < kCount; ++i) EXPECT(got[i] == kCount - 1 - i);
  PrintOut(got, sizeof got);
  return 0;
}
