// One pinned buffer for all parts: the host fills it anew while the copy of the last part may still read it.
// expect: host-race at FAULT with OTHER
#include "program.h"

__global__ void Sum(const int* in, int* sum) { atomicAdd(sum, in[threadIdx.x]); }

int main() {
  int *host, got;
  DeviceArray<int> part(256), sum(1);
  cudaStream_t stream;
  CHECK(cudaStreamCreate(&stream));
  CHECK(cudaMallocHost(&host, 256 * sizeof(int)));
  CHECK(cudaMemsetAsync(sum, 0, sizeof(int), stream));
  for (int round = 0; round < 4; ++round) {
    for (int i = 0; i < 256; ++i) host[i] = round;                                          // FAULT
    CHECK(cudaMemcpyAsync(part, host, 256 * sizeof(int), cudaMemcpyHostToDevice, stream));  // OTHER
    Sum<<<1, 256, 0, stream>>>(part, sum);
  }
  CHECK(cudaMemcpyAsync(&got, sum, sizeof got, cudaMemcpyDeviceToHost, stream));
  CHECK(cudaStreamSynchronize(stream));
  CHECK(cudaFreeHost(host));
  CHECK(cudaStreamDestroy(stream));
  return 0;
}
