// A ring on the stack that is read only where it has been written, with an index that the compiler cannot know.
#include "program.h"

__global__ void Lag(const int* in, int* out, int n, int lag) {
  int ring[8];
  for (int i = 0; i < n; ++i) {
    ring[i & 7] = in[i] + threadIdx.x;
    out[threadIdx.x * n + i] = i < lag ? -1 : ring[(i - lag) & 7];
  }
}

int main() {
  constexpr int kCount = 30;
  int host[kCount];
  static int got[32 * kCount];
  for (int i = 0; i < kCount; ++i) host[i] = 10 * i;
  DeviceArray<int> in(kCount), out(32 * kCount);
  in.CopyFrom(host);
  Lag<<<1, 32>>>(in, out, kCount, 5);
  FINISH();
  out.CopyTo(got);
  for (int i = 0; i < 32 * kCount; ++i) {
    EXPECT(got[i] == (i % kCount < 5 ? -1 : host[i % kCount - 5] + i / kCount));
  }
  PrintOut(got, sizeof got);
  return 0;
}
