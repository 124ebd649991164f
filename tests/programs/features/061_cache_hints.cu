// Cache hints change where data is kept, never what it is: __ldg, __ldcg, __ldcs, __ldca, __stcs, __stwt, prefetches.
#include "feature.h"

__global__ void Hinted(const int* __restrict__ in, const float4* __restrict__ wide, int* out, float4* wide_out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  asm volatile("prefetch.global.L2 [%0];" ::"l"(&in[i]));
  const int value = __ldg(&in[i]) + __ldcg(&in[(i + 1) % n]) * 2 + __ldcs(&in[(i + 2) % n]) * 3 +
                    __ldca(&in[(i + 3) % n]) * 5 + __ldcv(&in[(i + 4) % n]) * 7;
  if (i % 3 == 0) __stcs(&out[i], value);
  if (i % 3 == 1) __stwt(&out[i], value);
  if (i % 3 == 2) __stcg(&out[i], value);
  const float4 four = __ldg(&wide[i]);
  __stcs(&wide_out[i], make_float4(four.y, four.x, four.w, four.z));
}

int main() {
  constexpr int kCount = 500;
  int in[kCount], got[kCount], want[kCount];
  float wide[4 * kCount], wide_got[4 * kCount], wide_want[4 * kCount];
  for (int i = 0; i < kCount; ++i) in[i] = Mix(i) % 10000;
  for (int i = 0; i < 4 * kCount; ++i) wide[i] = MixUnit(i);
  for (int i = 0; i < kCount; ++i) {
    want[i] = in[i] + in[(i + 1) % kCount] * 2 + in[(i + 2) % kCount] * 3 + in[(i + 3) % kCount] * 5 +
              in[(i + 4) % kCount] * 7;
    for (int k = 0; k < 4; ++k) wide_want[4 * i + k] = wide[4 * i + (k ^ 1)];
  }
  DeviceArray<int> d_in(in, kCount), d_out(kCount);
  DeviceArray<float> d_wide(wide, 4 * kCount), d_wide_out(4 * kCount);
  Hinted<<<4, 128>>>(d_in, reinterpret_cast<float4*>(d_wide.get()), d_out, reinterpret_cast<float4*>(d_wide_out.get()),
                     kCount);
  FINISH();
  d_out.CopyTo(got);
  d_wide_out.CopyTo(wide_got);
  ExpectSame("out", got, want, kCount);
  ExpectSame("wide", wide_got, wide_want, 4 * kCount);
  Out(got, sizeof got);
  Out(wide_got, sizeof wide_got);
  return Verdict();
}
