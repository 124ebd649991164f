// Two threads of the host use one array, each in its own default stream. That one thread waits for the other one's end
// orders the launches, but not the kernels.
// flags: --default-stream per-thread -Xcompiler -pthread
// expect: stream-race at FAULT with OTHER
#include <thread>

#include "program.h"

__global__ void Square(int* data) { data[threadIdx.x] = threadIdx.x * threadIdx.x; }
__global__ void Double(int* data) { data[threadIdx.x] *= 2; }

int main() {
  DeviceArray<int> data(256);
  std::thread thread([&] {
    Square<<<1, 256>>>(data);  // OTHER
    CHECK(cudaGetLastError());
  });
  thread.join();
  Double<<<1, 256>>>(data);  // FAULT
  FINISH();
  return 0;
}
