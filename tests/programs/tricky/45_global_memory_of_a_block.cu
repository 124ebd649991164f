// A block sorts its part of a global array in place: __syncthreads() orders global memory within the block too.
#include "program.h"

__global__ void OddEvenSort(int* values) {
  int* own = values + blockIdx.x * 128;
  for (int round = 0; round < 128; ++round) {
    const int i = 2 * threadIdx.x + round % 2;
    if (i + 1 < 128 && own[i] > own[i + 1]) {
      const int swap = own[i];
      own[i] = own[i + 1];
      own[i + 1] = swap;
    }
    __syncthreads();
  }
}

int main() {
  constexpr int kCount = 3 * 128;
  int host[kCount], got[kCount];
  for (int i = 0; i < kCount; ++i) host[i] = (i * 101) % 257;
  DeviceArray<int> values(kCount);
  values.CopyFrom(host);
  OddEvenSort<<<3, 64>>>(values);
  FINISH();
  values.CopyTo(got);
  for (int i = 0; i < kCount; ++i) EXPECT(i % 128 == 0 || got[i - 1] <= got[i]);
  PrintOut(got, sizeof got);
  return 0;
}
