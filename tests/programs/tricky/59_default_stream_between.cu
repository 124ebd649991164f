// The default stream's work orders two streams: it waits for the one, and the other waits for it.
#include "program.h"

__global__ void Add(int* data, int what) { data[threadIdx.x] += what; }

int main() {
  int host[64];
  DeviceArray<int> data(64);
  cudaStream_t left, right;
  CHECK(cudaStreamCreate(&left));
  CHECK(cudaStreamCreate(&right));
  data.Fill(0);
  Add<<<1, 64, 0, left>>>(data, 1);
  Add<<<1, 64>>>(data, 10);
  Add<<<1, 64, 0, right>>>(data, 100);
  data.CopyTo(host);
  for (int i = 0; i < 64; ++i) EXPECT(host[i] == 111);
  CHECK(cudaStreamDestroy(left));
  CHECK(cudaStreamDestroy(right));
  PrintOut(host, sizeof host);
  return 0;
}
