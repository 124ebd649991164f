// Compiled with --default-stream per-thread, each thread of the host has a default stream of its own: a kernel of one
// waits for a kernel of another, which the legacy default stream would never begin. That one still waits for both.
// flags: --default-stream per-thread -Xcompiler -pthread
#include <atomic>
#include <thread>

#include "program.h"

__global__ void Wait(const volatile int* flag, int* out) {
  while (*flag == 0) {
  }
  __threadfence();
  *out = 5;
}

__global__ void Set(volatile int* flag) {
  __threadfence();
  *flag = 1;
}

__global__ void Double(int* out) { *out *= 2; }

int main() {
  int *flag, *out;
  CHECK(cudaMalloc(&flag, sizeof(int)));
  CHECK(cudaMalloc(&out, sizeof(int)));
  CHECK(cudaMemset(flag, 0, sizeof(int)));
  CHECK(cudaDeviceSynchronize());
  std::atomic<bool> waits{false};
  std::thread first([&] {
    Wait<<<1, 1>>>(flag, out);
    CHECK(cudaGetLastError());
    waits = true;
    CHECK(cudaStreamSynchronize(nullptr));
    Double<<<1, 1>>>(out);
    CHECK(cudaGetLastError());
  });
  while (!waits) {
  }
  EXPECT(cudaStreamQuery(nullptr) == cudaSuccess);  // this thread's own has nothing to do
  Set<<<1, 1>>>(flag);
  CHECK(cudaGetLastError());
  first.join();
  Double<<<1, 1, 0, cudaStreamLegacy>>>(out);
  Double<<<1, 1>>>(out);
  int result = 0;
  CHECK(cudaMemcpy(&result, out, sizeof(int), cudaMemcpyDeviceToHost));
  EXPECT(result == 40);
  PrintOut(&result, sizeof(int));
  CHECK(cudaFree(flag));
  CHECK(cudaFree(out));
  return 0;
}
