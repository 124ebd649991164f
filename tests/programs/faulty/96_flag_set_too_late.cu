// The host waits for a kernel before it sets the flag that the kernel waits for.
// expect: deadlock at FAULT
#include "program.h"

__global__ void Wait(const volatile int* flag, int* out) {
  while (*flag == 0) {  // FAULT
  }
  *out = 1;
}

int main() {
  int *flag, *out;
  CHECK(cudaMallocHost(&flag, sizeof(int)));
  CHECK(cudaMallocHost(&out, sizeof(int)));
  *flag = *out = 0;
  Wait<<<1, 1>>>(flag, out);
  CHECK(cudaGetLastError());  // the launch itself is right
  EXPECT(cudaDeviceSynchronize() == cudaErrorLaunchTimeout);
  *flag = 1;
  return 0;
}
