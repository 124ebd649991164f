// cudaMemcpy waits for the work of the default stream, and so for that of all blocking streams. Compiled like this, it
// is in the thread's own default stream, which does not wait for the kernel.
// flags: -DCUDA_API_PER_THREAD_DEFAULT_STREAM
// expect: stream-race at FAULT with OTHER
#include "program.h"

__global__ void Square(int* data) { data[threadIdx.x] = threadIdx.x * threadIdx.x; }

int main() {
  static int host[256];
  cudaStream_t stream;
  CHECK(cudaStreamCreate(&stream));
  {
    DeviceArray<int> data(256);
    Square<<<1, 256, 0, stream>>>(data);                                       // OTHER
    CHECK(cudaMemcpy(host, data.get(), sizeof host, cudaMemcpyDeviceToHost));  // FAULT
    CHECK(cudaDeviceSynchronize());
  }
  CHECK(cudaStreamDestroy(stream));
  return 0;
}
