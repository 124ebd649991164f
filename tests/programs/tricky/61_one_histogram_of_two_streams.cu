// Two streams count into the same bins with atomics, which need no order. A host function looks at the sum in stream
// order.
#include "program.h"

__global__ void Count(const int* values, int n, int* bins) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) atomicAdd(&bins[values[i]], 1);
}

struct Sum {
  int bins[8];
  int total = 0;
};

void CUDART_CB AddUp(void* pointer) {
  Sum* sum = static_cast<Sum*>(pointer);
  for (int bin : sum->bins) sum->total += bin;
}

int main() {
  constexpr int kN = 1000;
  static int host[kN];
  for (int i = 0; i < kN; ++i) host[i] = i % 8;
  DeviceArray<int> values(host, kN), bins(8);
  bins.Fill(0);
  cudaStream_t left, right;
  cudaEvent_t counted;
  CHECK(cudaStreamCreate(&left));
  CHECK(cudaStreamCreate(&right));
  CHECK(cudaEventCreate(&counted));
  Count<<<2, 256, 0, left>>>(values, kN / 2, bins);
  Count<<<2, 256, 0, right>>>(values + kN / 2, kN - kN / 2, bins);
  CHECK(cudaEventRecord(counted, left));
  CHECK(cudaStreamWaitEvent(right, counted, 0));
  Sum sum;
  CHECK(cudaMemcpyAsync(sum.bins, bins, sizeof sum.bins, cudaMemcpyDeviceToHost, right));
  CHECK(cudaLaunchHostFunc(right, AddUp, &sum));
  CHECK(cudaStreamSynchronize(right));
  EXPECT(sum.total == kN);
  CHECK(cudaEventDestroy(counted));
  CHECK(cudaStreamDestroy(left));
  CHECK(cudaStreamDestroy(right));
  PrintOut(&sum.total, sizeof sum.total);
  return 0;
}
