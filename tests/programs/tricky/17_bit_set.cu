// A set of bits, 32 to a word, into which all blocks put members by atomicOr.
#include "program.h"

__global__ void MarkComposite(unsigned* bits, int n) {
  const int p = blockIdx.x + 2;
  for (int m = (threadIdx.x + 2) * p; m < n; m += blockDim.x * p) atomicOr(&bits[m / 32], 1u << (m % 32));
}

int main() {
  constexpr int kCount = 1024;
  unsigned got[kCount / 32];
  DeviceArray<unsigned> bits(kCount / 32);
  bits.Fill(0);
  MarkComposite<<<31, 32>>>(bits, kCount);
  FINISH();
  bits.CopyTo(got);
  for (int i = 2; i < kCount; ++i) {
    bool composite = false;
    for (int d = 2; d * d <= i; ++d) composite = composite || i % d == 0;
    EXPECT((got[i / 32] >> (i % 32) & 1) == composite);
  }
  PrintOut(got, sizeof got);
  return 0;
}
