// Memory that is allocated and freed in stream order. The second stream gets the first one's addresses again, and the
// pool sees to it that this is no conflict.
#include "program.h"

__global__ void Set(int* data, int what) { data[threadIdx.x] = what; }

int main() {
  int host[2];
  cudaStream_t left, right;
  cudaEvent_t allocated;
  CHECK(cudaStreamCreate(&left));
  CHECK(cudaStreamCreate(&right));
  CHECK(cudaEventCreate(&allocated));
  cudaStream_t const streams[] = {left, right};
  for (int s = 0; s < 2; ++s) {
    int* data;
    CHECK(cudaMallocAsync(&data, 64 * sizeof(int), streams[s]));
    Set<<<1, 64, 0, streams[s]>>>(data, s);
    CHECK(cudaMemcpyAsync(&host[s], data, sizeof(int), cudaMemcpyDeviceToHost, streams[s]));
    CHECK(cudaFreeAsync(data, streams[s]));
  }
  // Allocated in one stream, used in another that waits, and freed by the host after it waited.
  int* shared;
  CHECK(cudaMallocAsync(&shared, 64 * sizeof(int), left));
  CHECK(cudaEventRecord(allocated, left));
  CHECK(cudaStreamWaitEvent(right, allocated, 0));
  Set<<<1, 64, 0, right>>>(shared, 7);
  CHECK(cudaStreamSynchronize(right));
  CHECK(cudaFree(shared));
  EXPECT(host[0] == 0 && host[1] == 1);
  CHECK(cudaEventDestroy(allocated));
  CHECK(cudaStreamDestroy(left));
  CHECK(cudaStreamDestroy(right));
  PrintOut(host, sizeof host);
  return 0;
}
