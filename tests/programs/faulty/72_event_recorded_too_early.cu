// The event is recorded before the kernel that it should mark.
// expect: stream-race at FAULT with OTHER
#include "program.h"

__global__ void Produce(int* out) { out[threadIdx.x] = threadIdx.x; }
__global__ void Consume(const int* in, int* out) { out[threadIdx.x] = 2 * in[threadIdx.x]; }

int main() {
  DeviceArray<int> first(256), second(256);
  cudaStream_t producer, consumer;
  cudaEvent_t produced;
  CHECK(cudaStreamCreate(&producer));
  CHECK(cudaStreamCreate(&consumer));
  CHECK(cudaEventCreate(&produced));
  CHECK(cudaEventRecord(produced, producer));
  Produce<<<1, 256, 0, producer>>>(first);  // OTHER
  CHECK(cudaStreamWaitEvent(consumer, produced, 0));
  Consume<<<1, 256, 0, consumer>>>(first, second);  // FAULT
  FINISH();
  CHECK(cudaEventDestroy(produced));
  CHECK(cudaStreamDestroy(producer));
  CHECK(cudaStreamDestroy(consumer));
  return 0;
}
