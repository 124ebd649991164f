// Double buffering in which a copy overwrites the buffer that the kernel before the last one may still read.
// expect: stream-race at FAULT with OTHER
#include "program.h"

__global__ void Sum(const int* in, int* sum, int n) {
  for (int i = threadIdx.x; i < n; i += blockDim.x) atomicAdd(sum, in[i]);
}

int main() {
  constexpr int kN = 512, kRounds = 6;
  static int host[kRounds][kN];
  DeviceArray<int> left(kN), right(kN), sum(1);
  int* const buffers[] = {left, right};
  sum.Fill(0);
  cudaStream_t copies, kernels;
  cudaEvent_t copied[2];
  CHECK(cudaStreamCreate(&copies));
  CHECK(cudaStreamCreate(&kernels));
  for (cudaEvent_t& event : copied) CHECK(cudaEventCreate(&event));
  for (int round = 0; round < kRounds; ++round) {
    const int b = round % 2;
    CHECK(cudaMemcpyAsync(buffers[b], host[round], sizeof host[round], cudaMemcpyHostToDevice, copies));  // FAULT
    CHECK(cudaEventRecord(copied[b], copies));
    CHECK(cudaStreamWaitEvent(kernels, copied[b], 0));
    Sum<<<1, 128, 0, kernels>>>(buffers[b], sum, kN);  // OTHER
  }
  FINISH();
  for (cudaEvent_t event : copied) CHECK(cudaEventDestroy(event));
  CHECK(cudaStreamDestroy(copies));
  CHECK(cudaStreamDestroy(kernels));
  return 0;
}
