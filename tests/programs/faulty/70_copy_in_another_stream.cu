// One of two inputs is copied in a stream that the kernel's stream does not wait for.
// expect: stream-race at FAULT with OTHER
#include "program.h"

__global__ void Add(const int* a, const int* b, int* sum, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) sum[i] = a[i] + b[i];
}

int main() {
  constexpr int kN = 1000;
  static int host[kN];
  DeviceArray<int> a(kN), b(kN), sum(kN);
  cudaStream_t copies, kernels;
  CHECK(cudaStreamCreate(&copies));
  CHECK(cudaStreamCreate(&kernels));
  CHECK(cudaMemcpyAsync(a, host, sizeof host, cudaMemcpyHostToDevice, kernels));
  CHECK(cudaMemcpyAsync(b, host, sizeof host, cudaMemcpyHostToDevice, copies));  // OTHER
  Add<<<4, 256, 0, kernels>>>(a, b, sum, kN);                                    // FAULT
  CHECK(cudaMemcpyAsync(host, sum, sizeof host, cudaMemcpyDeviceToHost, kernels));
  FINISH();
  CHECK(cudaStreamDestroy(copies));
  CHECK(cudaStreamDestroy(kernels));
  return 0;
}
