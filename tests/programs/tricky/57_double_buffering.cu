// Double buffering: an event says that a buffer is full, another one that it may be filled again.
#include "program.h"

__global__ void Sum(const int* in, int* sum, int n) {
  for (int i = threadIdx.x; i < n; i += blockDim.x) atomicAdd(sum, in[i]);
}

int main() {
  constexpr int kN = 512, kRounds = 7;
  static int host[kRounds][kN];
  for (int i = 0; i < kRounds * kN; ++i) host[i / kN][i % kN] = i % 10;
  DeviceArray<int> left(kN), right(kN), sum(1);
  int* const buffers[] = {left, right};
  sum.Fill(0);
  cudaStream_t copies, kernels;
  cudaEvent_t full[2], empty[2];
  CHECK(cudaStreamCreate(&copies));
  CHECK(cudaStreamCreate(&kernels));
  for (int b = 0; b < 2; ++b) {
    CHECK(cudaEventCreateWithFlags(&full[b], cudaEventDisableTiming));
    CHECK(cudaEventCreateWithFlags(&empty[b], cudaEventDisableTiming));
  }
  for (int round = 0; round < kRounds; ++round) {
    const int b = round % 2;
    if (round >= 2) CHECK(cudaStreamWaitEvent(copies, empty[b], 0));
    CHECK(cudaMemcpyAsync(buffers[b], host[round], sizeof host[round], cudaMemcpyHostToDevice, copies));
    CHECK(cudaEventRecord(full[b], copies));
    CHECK(cudaStreamWaitEvent(kernels, full[b], 0));
    Sum<<<1, 128, 0, kernels>>>(buffers[b], sum, kN);
    CHECK(cudaEventRecord(empty[b], kernels));
  }
  int got = 0, want = 0;
  CHECK(cudaMemcpyAsync(&got, sum, sizeof got, cudaMemcpyDeviceToHost, kernels));
  CHECK(cudaStreamSynchronize(kernels));
  for (int i = 0; i < kRounds * kN; ++i) want += i % 10;
  EXPECT(got == want);
  for (int b = 0; b < 2; ++b) {
    CHECK(cudaEventDestroy(full[b]));
    CHECK(cudaEventDestroy(empty[b]));
  }
  CHECK(cudaStreamDestroy(copies));
  CHECK(cudaStreamDestroy(kernels));
  PrintOut(&got, sizeof got);
  return 0;
}
