// The host reads the answer in pinned memory while the copy may still be under way.
// expect: host-race at FAULT with OTHER
#include "program.h"

__global__ void Square(int* data) { data[threadIdx.x] = threadIdx.x * threadIdx.x; }

int main() {
  int* host;
  DeviceArray<int> data(64);
  cudaStream_t stream;
  CHECK(cudaStreamCreate(&stream));
  CHECK(cudaMallocHost(&host, 64 * sizeof(int)));
  Square<<<1, 64, 0, stream>>>(data);
  CHECK(cudaMemcpyAsync(host, data, 64 * sizeof(int), cudaMemcpyDeviceToHost, stream));  // OTHER
  std::printf("%d\n", host[8]);                                                          // FAULT
  CHECK(cudaStreamSynchronize(stream));
  CHECK(cudaFreeHost(host));
  CHECK(cudaStreamDestroy(stream));
  return 0;
}
