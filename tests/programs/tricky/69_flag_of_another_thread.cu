// One thread of the host waits for a kernel, and another one sets the flag that the kernel waits for. A function of the
// host behind the kernel tells a third one, on the main thread, that the kernel is done.
// flags: -Xcompiler -pthread
#include <atomic>
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
  std::atomic<bool> done{false};
  Wait<<<1, 1>>>(flag, out);
  CHECK(cudaLaunchHostFunc(
      nullptr, [](void* all) { *static_cast<std::atomic<bool>*>(all) = true; }, &done));
  std::thread waits([] { CHECK(cudaDeviceSynchronize()); });
  std::thread sets([flag] {
    std::this_thread::sleep_for(std::chrono::milliseconds(300));
    *static_cast<volatile int*>(flag) = 4;
  });
  while (!done) std::this_thread::yield();
  sets.join();
  waits.join();
  CHECK(cudaDeviceSynchronize());
  EXPECT(*out == 5);
  PrintOut(out, sizeof(int));
  CHECK(cudaFreeHost(flag));
  CHECK(cudaFreeHost(out));
  return 0;
}
