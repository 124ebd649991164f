// Two streams that each read what the other wrote, ordered by events alone.
#include "program.h"

__global__ void Add(const int* in, int* out, int what) { out[threadIdx.x] = in[threadIdx.x ^ 1] + what; }

int main() {
  int got[64];
  DeviceArray<int> a(64), b(64);
  cudaStream_t left, right;
  cudaEvent_t ready, back;
  CHECK(cudaStreamCreateWithFlags(&left, cudaStreamNonBlocking));
  CHECK(cudaStreamCreateWithFlags(&right, cudaStreamNonBlocking));
  CHECK(cudaEventCreateWithFlags(&ready, cudaEventDisableTiming));
  CHECK(cudaEventCreateWithFlags(&back, cudaEventDisableTiming));
  CHECK(cudaMemsetAsync(a, 0, 64 * sizeof(int), left));
  for (int round = 0; round < 3; ++round) {
    Add<<<1, 64, 0, left>>>(a, b, 1);
    CHECK(cudaEventRecord(ready, left));
    CHECK(cudaStreamWaitEvent(right, ready, 0));
    Add<<<1, 64, 0, right>>>(b, a, 10);
    CHECK(cudaEventRecord(back, right));
    CHECK(cudaStreamWaitEvent(left, back, 0));
  }
  FINISH();
  a.CopyTo(got);
  for (int i = 0; i < 64; ++i) EXPECT(got[i] == 33);
  CHECK(cudaStreamDestroy(left));
  CHECK(cudaStreamDestroy(right));
  CHECK(cudaEventDestroy(ready));
  CHECK(cudaEventDestroy(back));
  PrintOut(got, sizeof got);
  return 0;
}
