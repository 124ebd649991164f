// Sums are added to an output that nobody cleared.
// expect: uninitialised-read at FAULT
#include "program.h"

__global__ void Accumulate(const float* in, float* sums, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) sums[i] += in[i];  // FAULT
}

int main() {
  constexpr int kCount = 300;
  DeviceArray<float> in(kCount), sums(kCount);
  in.Fill(0);
  Accumulate<<<3, 128>>>(in, sums, kCount);
  FINISH();
  return 0;
}
