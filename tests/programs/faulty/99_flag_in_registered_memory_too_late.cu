// The host waits for a kernel before it sets the flag, in memory that it registered, for which the kernel waits.
// expect: deadlock at FAULT
#include "program.h"

__global__ void Wait(const volatile int* flag, int* out) {
  while (*flag == 0) {  // FAULT
  }
  *out = 1;
}

int main() {
  int* const memory = static_cast<int*>(std::calloc(2, sizeof(int)));
  CHECK(cudaHostRegister(memory, 2 * sizeof(int), cudaHostRegisterMapped));
  void* device;
  CHECK(cudaHostGetDevicePointer(&device, memory, 0));
  Wait<<<1, 1>>>(static_cast<int*>(device), static_cast<int*>(device) + 1);
  CHECK(cudaGetLastError());  // the launch itself is right
  EXPECT(cudaDeviceSynchronize() == cudaErrorLaunchTimeout);
  *memory = 1;
  return 0;
}
