// A filter's taps are indexed from -r to r around a pointer to their middle.
#include "program.h"

__constant__ int taps[5] = {1, 2, 3, 4, 5};

__global__ void Filter(const int* in, int* out, int n) {
  const int* middle = taps + 2;
  const int* centre = in + n / 2;
  const int i = static_cast<int>(threadIdx.x) - n / 2;
  int sum = 0;
  for (int d = -2; d <= 2; ++d) {
    if (i + d >= -n / 2 && i + d < n - n / 2) sum += middle[d] * centre[i + d];
  }
  out[threadIdx.x] = sum;
}

int main() {
  int host[64], got[64];
  for (int i = 0; i < 64; ++i) host[i] = i;
  DeviceArray<int> in(64), out(64);
  in.CopyFrom(host);
  Filter<<<1, 64>>>(in, out, 64);
  FINISH();
  out.CopyTo(got);
  for (int i = 0; i < 64; ++i) {
    int want = 0;
    for (int d = -2; d <= 2; ++d) want += i + d >= 0 && i + d < 64 ? (d + 3) * (i + d) : 0;
    EXPECT(got[i] == want);
  }
  PrintOut(got, sizeof got);
  return 0;
}
