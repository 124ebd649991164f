// expect: unsupported at COPY
// The device runtime can copy memory, too. The emulator says that it cannot do this.
#include "program.h"

__global__ void Parent(int* values) {
  cudaMemcpyAsync(values, values + 4, 4 * sizeof(int), cudaMemcpyDeviceToDevice);  // COPY
}

int main() {
  int* values = nullptr;
  CHECK(cudaMalloc(&values, 8 * sizeof(int)));
  Parent<<<1, 1>>>(values);
  EXPECT(cudaDeviceSynchronize() == cudaErrorIllegalInstruction);
  return 0;
}
