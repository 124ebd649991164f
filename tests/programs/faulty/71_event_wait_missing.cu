// A pipeline of two kernels in two streams: the event is recorded, and nobody waits for it.
// expect: stream-race at FAULT with OTHER
#include "program.h"

__global__ void Produce(int* out) { out[blockIdx.x * blockDim.x + threadIdx.x] = threadIdx.x; }
__global__ void Consume(const int* in, int* out) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  out[i] = 2 * in[i];
}

int main() {
  DeviceArray<int> first(1024), second(1024);
  cudaStream_t producer, consumer;
  cudaEvent_t produced;
  CHECK(cudaStreamCreate(&producer));
  CHECK(cudaStreamCreate(&consumer));
  CHECK(cudaEventCreate(&produced));
  Produce<<<4, 256, 0, producer>>>(first);  // OTHER
  CHECK(cudaEventRecord(produced, producer));
  Consume<<<4, 256, 0, consumer>>>(first, second);  // FAULT
  FINISH();
  CHECK(cudaEventDestroy(produced));
  CHECK(cudaStreamDestroy(producer));
  CHECK(cudaStreamDestroy(consumer));
  return 0;
}
