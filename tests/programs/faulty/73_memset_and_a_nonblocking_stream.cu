// cudaMemset returns before the device has done it, and a stream made with cudaStreamNonBlocking does not wait for it.
// expect: stream-race
#include "program.h"

__global__ void Count(int* counters) { atomicAdd(&counters[threadIdx.x % 16], 1); }

int main() {
  DeviceArray<int> counters(16);
  cudaStream_t stream;
  CHECK(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking));
  counters.Fill(0);
  Count<<<1, 256, 0, stream>>>(counters);
  FINISH();
  CHECK(cudaStreamDestroy(stream));
  return 0;
}
