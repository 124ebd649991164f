// A copy of a count of elements where the array was allocated in bytes of something smaller.
// expect: invalid-copy at FAULT
#include "program.h"

int main() {
  static int host[256];
  DeviceArray<short> values(256);
  const cudaError_t error = cudaMemcpy(values, host, sizeof host, cudaMemcpyHostToDevice);  // FAULT
  return error == cudaErrorInvalidValue ? 0 : 1;
}
