// Blocks share a 128-byte line and even a word of global memory, but no byte.
#include "program.h"

__global__ void Interleave(unsigned char* bytes, int n) {
  const int i = threadIdx.x * gridDim.x + blockIdx.x;
  if (i < n) bytes[i] = blockIdx.x;
  if (i < n) bytes[i] += threadIdx.x;
}

int main() {
  constexpr int kCount = 5 * 64 - 3;
  unsigned char got[kCount];
  DeviceArray<unsigned char> bytes(kCount);
  Interleave<<<5, 64>>>(bytes, kCount);
  FINISH();
  bytes.CopyTo(got);
  for (int i = 0; i < kCount; ++i) EXPECT(got[i] == static_cast<unsigned char>(i % 5 + i / 5));
  PrintOut(got, sizeof got);
  return 0;
}
