// A packed record of a tag and a number is written field by field as if it were aligned.
// expect: misaligned at FAULT
#include "program.h"

__global__ void Pack(unsigned char* records) {
  unsigned char* own = records + 5 * threadIdx.x;
  own[0] = 'n';
  *reinterpret_cast<unsigned*>(own + 1) = threadIdx.x;  // FAULT
}

int main() {
  DeviceArray<unsigned char> records(5 * 64);
  Pack<<<1, 64>>>(records);
  return cudaDeviceSynchronize() == cudaErrorMisalignedAddress ? 0 : 1;
}
