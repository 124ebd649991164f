// One dynamic shared allocation cut into arrays of three types, the one with the largest elements first.
#include "feature.h"

__global__ void SplitByParity(const int* in, double* halves, int* evens, unsigned char* flags, int n) {
  extern __shared__ double raw[];
  double* s_half = raw;
  int* s_value = reinterpret_cast<int*>(s_half + n);
  unsigned char* s_flag = reinterpret_cast<unsigned char*>(s_value + n);
  const int i = threadIdx.x;
  s_value[i] = in[i];
  s_half[i] = in[i] * 0.5;
  s_flag[i] = in[i] % 2;
  __syncthreads();
  const int j = n - 1 - i;
  halves[i] = s_half[j];
  evens[i] = s_flag[j] ? -1 : s_value[j];
  flags[i] = s_flag[(i + 1) % n];
}

int main() {
  constexpr int kCount = 200;
  int in[kCount], evens[kCount], wanted_evens[kCount];
  double halves[kCount], wanted_halves[kCount];
  unsigned char flags[kCount], wanted_flags[kCount];
  for (int i = 0; i < kCount; ++i) in[i] = Mix(i) % 5000;
  for (int i = 0; i < kCount; ++i) {
    const int mirrored = in[kCount - 1 - i];
    wanted_halves[i] = mirrored * 0.5;
    wanted_evens[i] = mirrored % 2 ? -1 : mirrored;
    wanted_flags[i] = in[(i + 1) % kCount] % 2;
  }
  DeviceArray<int> d_in(in, kCount), d_evens(kCount);
  DeviceArray<double> d_halves(kCount);
  DeviceArray<unsigned char> d_flags(kCount);
  SplitByParity<<<1, kCount, kCount*(sizeof(double) + sizeof(int) + 1)>>>(d_in, d_halves, d_evens, d_flags, kCount);
  FINISH();
  d_halves.CopyTo(halves);
  d_evens.CopyTo(evens);
  d_flags.CopyTo(flags);
  ExpectSame("halves", halves, wanted_halves, kCount);
  ExpectSame("evens", evens, wanted_evens, kCount);
  ExpectSame("flags", flags, wanted_flags, kCount);
  Out(halves, sizeof halves);
  Out(evens, sizeof evens);
  Out(flags, sizeof flags);
  return Verdict();
}
