// The host waits for a function of its own that stands behind a kernel, and calls nothing meanwhile: a seed may delay
// the kernel, but not for ever.
// run: --seed 4
#include <atomic>

#include "program.h"

__global__ void Fill(int* data, int value) { data[threadIdx.x] = value; }

int main() {
  cudaStream_t stream;
  CHECK(cudaStreamCreate(&stream));
  int host[32];
  {
    DeviceArray<int> data(32);
    for (int round = 0; round < 3; ++round) {
      std::atomic<bool> done{false};
      Fill<<<1, 32, 0, stream>>>(data, round);
      CHECK(cudaGetLastError());
      CHECK(cudaLaunchHostFunc(
          stream, [](void* flag) { *static_cast<std::atomic<bool>*>(flag) = true; }, &done));
      while (!done) {
      }
      data.CopyTo(host);
      for (int value : host) EXPECT(value == round);
    }
  }
  PrintOut(host, sizeof host);
  CHECK(cudaStreamDestroy(stream));
  return 0;
}
