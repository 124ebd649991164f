// alloca: each thread takes as much of its stack as its own data asks for.
#include "feature.h"

__host__ __device__ int Middle(const int* values, int* sorted, int n) {
  for (int i = 0; i < n; ++i) {
    int k = i;
    for (; k > 0 && sorted[k - 1] > values[i]; --k) sorted[k] = sorted[k - 1];
    sorted[k] = values[i];
  }
  return sorted[n / 2];
}

__global__ void Medians(const int* in, int* out) {
  const int n = 3 + threadIdx.x % 13;
  int* sorted = static_cast<int*>(alloca(n * sizeof(int)));
  out[threadIdx.x] = Middle(in + threadIdx.x, sorted, n);
}

int main() {
  int in[128], got[64], want[64], sorted[16];
  for (int i = 0; i < 128; ++i) in[i] = Mix(i) % 1000;
  for (int i = 0; i < 64; ++i) want[i] = Middle(in + i, sorted, 3 + i % 13);
  DeviceArray<int> d_in(in, 128), d_out(64);
  Medians<<<1, 64>>>(d_in, d_out);
  FINISH();
  d_out.CopyTo(got);
  ExpectSame("medians", got, want, 64);
  Out(got, sizeof got);
  return Verdict();
}
