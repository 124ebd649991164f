// One thread of the host waits for a kernel. The other one, which sets the flag that the kernel waits for, sleeps for
// longer than threads that do nothing are waited for.
// flags: -Xcompiler -pthread
#include <chrono>
#include <thread>

#include "program.h"

__global__ void Wait(const volatile int* flag, int* out) {
  while (*flag == 0) {
  }
  *out = *flag + 1;
}

int main() {
  int *flag, *out;
  CHECK(cudaMallocHost(&flag, sizeof(int)));
  CHECK(cudaMallocHost(&out, sizeof(int)));
  *flag = *out = 0;
  Wait<<<1, 1>>>(flag, out);
  CHECK(cudaGetLastError());
  std::thread sets([flag] {
    std::this_thread::sleep_for(std::chrono::seconds(14));
    *static_cast<volatile int*>(flag) = 4;
  });
  CHECK(cudaDeviceSynchronize());
  sets.join();
  EXPECT(*out == 5);
  PrintOut(out, sizeof(int));
  CHECK(cudaFreeHost(flag));
  CHECK(cudaFreeHost(out));
  return 0;
}
