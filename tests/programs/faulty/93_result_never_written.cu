// The kernel writes one array and the host copies another back: what arrives is what the memory held before.
// expect: uninitialised-read
#include "program.h"

__global__ void Square(const int* in, int* out) { out[threadIdx.x] = in[threadIdx.x] * in[threadIdx.x]; }

int main() {
  static int host[256];
  DeviceArray<int> in(host, 256), squares(256), result(256);
  Square<<<1, 256>>>(in, squares);
  FINISH();
  result.CopyTo(host);
  return 0;
}
