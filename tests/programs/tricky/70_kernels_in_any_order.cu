// Two streams that meet by events, under a seed that delays their work: the order of each stream and the events hold.
// run: --seed 5
#include "program.h"

constexpr int kCount = 64, kRounds = 40;

__global__ void Next(const int* in, int* out, int by) { out[threadIdx.x] = 3 * in[threadIdx.x] + by; }

int main() {
  cudaStream_t streams[2];
  cudaEvent_t done[2];
  for (int s = 0; s < 2; ++s) {
    CHECK(cudaStreamCreateWithFlags(&streams[s], s == 0 ? cudaStreamDefault : cudaStreamNonBlocking));
    CHECK(cudaEventCreateWithFlags(&done[s], cudaEventDisableTiming));
  }
  int host[kCount], expected[kCount], got[kCount];
  for (int i = 0; i < kCount; ++i) expected[i] = host[i] = i;
  {
    DeviceArray<int> a(kCount), b(kCount);
    CHECK(cudaMemcpyAsync(a, host, sizeof host, cudaMemcpyHostToDevice, streams[0]));
    for (int& value : host) value = -1;  // the copy has read it
    CHECK(cudaEventRecord(done[0], streams[0]));
    for (int round = 0; round < kRounds; ++round) {
      const int s = (round + 1) % 2;
      CHECK(cudaStreamWaitEvent(streams[s], done[1 - s]));
      Next<<<1, kCount, 0, streams[s]>>>(s == 1 ? a : b, s == 1 ? b : a, round);
      CHECK(cudaEventRecord(done[s], streams[s]));
      for (int& value : expected) value = static_cast<int>(3u * static_cast<unsigned>(value)) + round;
    }
    // The default stream waits for the blocking one.
    CHECK(cudaMemcpy(got, a, sizeof got, cudaMemcpyDeviceToHost));
    CHECK(cudaDeviceSynchronize());
  }
  for (int i = 0; i < kCount; ++i) EXPECT(got[i] == expected[i]);
  PrintOut(got, sizeof got);
  for (int s = 0; s < 2; ++s) {
    CHECK(cudaStreamDestroy(streams[s]));
    CHECK(cudaEventDestroy(done[s]));
  }
  return 0;
}
