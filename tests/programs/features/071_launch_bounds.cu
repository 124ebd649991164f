// __launch_bounds__ promises a largest block and wishes for blocks per multiprocessor; results do not depend on it.
#include "feature.h"

template <int kItems>
__device__ int Work(const int* in, int i, int n) {
  int item[kItems];
  for (int k = 0; k < kItems; ++k) item[k] = in[(i + k * 37) % n];
  int sum = 0;
  for (int k = 0; k < kItems; ++k) sum = sum * 31 + (item[k] ^ item[kItems - 1 - k]) + item[k] % 13;
  return sum;
}

__global__ void Free(const int* in, int* out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] = Work<24>(in, i, n);
}
__global__ void __launch_bounds__(256, 4) Bounded(const int* in, int* out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] = Work<24>(in, i, n);
}
__global__ void __maxnreg__(32) FewRegisters(const int* in, int* out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] = Work<24>(in, i, n);
}

int main() {
  constexpr int kCount = 2000;
  static int in[kCount], got[3][kCount], want[kCount];
  for (int i = 0; i < kCount; ++i) in[i] = Mix(i) % 100000;
  for (int i = 0; i < kCount; ++i) {
    unsigned sum = 0;
    for (int k = 0; k < 24; ++k) {
      const int item = in[(i + k * 37) % kCount];
      sum = sum * 31 + (item ^ in[(i + (23 - k) * 37) % kCount]) + item % 13;
    }
    want[i] = static_cast<int>(sum);
  }
  DeviceArray<int> d_in(in, kCount), d_out(kCount);
  void (*const kernels[3])(const int*, int*, int) = {Free, Bounded, FewRegisters};
  for (int k = 0; k < 3; ++k) {
    d_out.Fill(0);
    kernels[k]<<<(kCount + 255) / 256, 256>>>(d_in, d_out, kCount);
    FINISH();
    d_out.CopyTo(got[k]);
    ExpectSame("out", got[k], want, kCount);
  }
  cudaFuncAttributes attributes;
  CHECK(cudaFuncGetAttributes(&attributes, Bounded));
  Expect(attributes.maxThreadsPerBlock == 256, "the bound is known");
  CHECK(cudaFuncGetAttributes(&attributes, FewRegisters));
  Expect(attributes.numRegs <= 32, "so are the registers");
  Out(got, sizeof got);
  return Verdict();
}
