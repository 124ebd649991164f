// Every block waits for the one after it, and the last for one that does not exist.
// expect: deadlock at FAULT
#include "program.h"

__global__ void Relay(volatile int* ready) {
  if (threadIdx.x > 0) return;
  while (ready[blockIdx.x + 1] == 0) {  // FAULT
  }
  ready[blockIdx.x] = 1;
}

int main() {
  DeviceArray<int> ready(5);
  ready.Fill(0);
  Relay<<<4, 32>>>(ready);
  return cudaDeviceSynchronize() == cudaErrorLaunchTimeout ? 0 : 1;
}
