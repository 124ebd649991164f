// A device function is used by two kernels on the same memory: what the first launch wrote is ordered before the
// second.
#include "program.h"

__device__ void Step(const int* in, int* out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] = in[i] + (i > 0 ? in[i - 1] : 0);
}

__global__ void Forth(const int* a, int* b, int n) { Step(a, b, n); }
__global__ void Back(int* a, const int* b, int n) { Step(b, a, n); }

int main() {
  constexpr int kCount = 1000;
  static int host[kCount], want[kCount], got[kCount];
  for (int i = 0; i < kCount; ++i) want[i] = host[i] = i % 5;
  DeviceArray<int> a(kCount), b(kCount);
  a.CopyFrom(host);
  for (int round = 0; round < 4; ++round) {
    Forth<<<4, 256>>>(a, b, kCount);
    Back<<<4, 256>>>(a, b, kCount);
  }
  FINISH();
  a.CopyTo(got);
  for (int round = 0; round < 8; ++round) {
    for (int i = kCount - 1; i > 0; --i) want[i] += want[i - 1];
  }
  for (int i = 0; i < kCount; ++i) EXPECT(got[i] == want[i]);
  PrintOut(got, sizeof got);
  return 0;
}
