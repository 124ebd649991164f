// A kernel waits for a flag that an earlier kernel of another stream sets: fences order the data, and no event does.
#include "program.h"

__global__ void Publish(int* data, volatile int* flag) {
  data[threadIdx.x] = 5 * threadIdx.x;
  __threadfence();
  __syncthreads();
  if (threadIdx.x == 0) *flag = 1;
}

__global__ void Take(const int* data, volatile int* flag, int* out) {
  if (threadIdx.x == 0) {
    while (*flag == 0) {
    }
    __threadfence();
  }
  __syncthreads();
  out[threadIdx.x] = data[threadIdx.x];
}

int main() {
  int host[64];
  DeviceArray<int> data(64), flag(1), out(64);
  flag.Fill(0);
  CHECK(cudaDeviceSynchronize());
  cudaStream_t left, right;
  CHECK(cudaStreamCreateWithFlags(&left, cudaStreamNonBlocking));
  CHECK(cudaStreamCreateWithFlags(&right, cudaStreamNonBlocking));
  Publish<<<1, 64, 0, left>>>(data, flag);
  Take<<<1, 64, 0, right>>>(data, flag, out);
  FINISH();
  out.CopyTo(host);
  for (int i = 0; i < 64; ++i) EXPECT(host[i] == 5 * i);
  CHECK(cudaStreamDestroy(left));
  CHECK(cudaStreamDestroy(right));
  PrintOut(host, sizeof host);
  return 0;
}
