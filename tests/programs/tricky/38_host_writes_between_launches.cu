// The host changes, clears and copies what kernels use, between launches that are not waited for.
#include "program.h"

__global__ void Neighbours(const int* in, int* out) { out[threadIdx.x] = in[threadIdx.x] + in[(threadIdx.x + 1) % 64]; }

int main() {
  int ones[64], got[64];
  for (int& v : ones) v = 1;
  DeviceArray<int> a(64), b(64);
  a.CopyFrom(ones);
  Neighbours<<<1, 64>>>(a, b);
  Neighbours<<<1, 64>>>(b, a);
  CHECK(cudaMemcpyAsync(b, a, 64 * sizeof(int), cudaMemcpyDeviceToDevice));
  CHECK(cudaMemsetAsync(a, 0, 32 * sizeof(int)));
  Neighbours<<<1, 64>>>(a, b);
  CHECK(cudaMemcpyAsync(a, ones, 64 * sizeof(int), cudaMemcpyHostToDevice));
  Neighbours<<<1, 64>>>(b, a);
  FINISH();
  a.CopyTo(got);
  // a was 32 zeros and 32 fours when b was made of it.
  for (int i = 0; i < 64; ++i) {
    int want = 0;
    for (const int j : {i, i + 1, i + 1, i + 2}) want += j % 64 >= 32 ? 4 : 0;
    EXPECT(got[i] == want);
  }
  PrintOut(got, sizeof got);
  return 0;
}
