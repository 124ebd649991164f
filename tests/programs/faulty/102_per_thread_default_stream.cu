// With the legacy default stream this would be right. Compiled with --default-stream per-thread, the default stream
// does not wait for the stream in which the memory is cleared.
// flags: --default-stream per-thread
// expect: stream-race at FAULT with OTHER
#include "program.h"

__global__ void Add(int* sum) { *sum += 10; }

int main() {
  cudaStream_t stream;
  CHECK(cudaStreamCreate(&stream));
  {
    DeviceArray<int> sum(1);
    CHECK(cudaMemsetAsync(sum, 0, sizeof(int), stream));  // OTHER
    Add<<<1, 1>>>(sum);                                   // FAULT
    FINISH();
  }
  CHECK(cudaStreamDestroy(stream));
  return 0;
}
