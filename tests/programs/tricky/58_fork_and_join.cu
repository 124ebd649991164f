// Four streams work on quarters of an array whose borders are in the middle of a sector, and join by events.
#include "program.h"

__global__ void Scale(unsigned char* data, int begin, int end) {
  const int i = begin + blockIdx.x * blockDim.x + threadIdx.x;
  if (i < end) data[i] = static_cast<unsigned char>(3 * data[i] + 1);
}

int main() {
  constexpr int kN = 4003, kStreams = 4;
  static unsigned char host[kN];
  for (int i = 0; i < kN; ++i) host[i] = static_cast<unsigned char>(i);
  DeviceArray<unsigned char> data(kN);
  cudaStream_t first, others[kStreams];
  cudaEvent_t forked, done[kStreams];
  CHECK(cudaStreamCreateWithFlags(&first, cudaStreamNonBlocking));
  CHECK(cudaEventCreate(&forked));
  CHECK(cudaMemcpyAsync(data, host, kN, cudaMemcpyHostToDevice, first));
  CHECK(cudaEventRecord(forked, first));
  for (int s = 0; s < kStreams; ++s) {
    const int begin = kN * s / kStreams, end = kN * (s + 1) / kStreams;
    CHECK(cudaStreamCreateWithFlags(&others[s], cudaStreamNonBlocking));
    CHECK(cudaEventCreate(&done[s]));
    CHECK(cudaStreamWaitEvent(others[s], forked, 0));
    Scale<<<8, 128, 0, others[s]>>>(data, begin, end);
    CHECK(cudaEventRecord(done[s], others[s]));
    CHECK(cudaStreamWaitEvent(first, done[s], 0));
  }
  Scale<<<32, 128, 0, first>>>(data, 0, kN);
  CHECK(cudaMemcpyAsync(host, data, kN, cudaMemcpyDeviceToHost, first));
  CHECK(cudaStreamSynchronize(first));
  for (int i = 0; i < kN; ++i) EXPECT(host[i] == static_cast<unsigned char>(9 * i + 4));
  CHECK(cudaEventDestroy(forked));
  CHECK(cudaStreamDestroy(first));
  for (int s = 0; s < kStreams; ++s) {
    CHECK(cudaEventDestroy(done[s]));
    CHECK(cudaStreamDestroy(others[s]));
  }
  PrintOut(host, kN);
  return 0;
}
