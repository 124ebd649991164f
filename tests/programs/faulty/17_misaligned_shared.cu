// Two arrays in one piece of dynamic shared memory: the doubles begin after an odd count of floats.
// expect: misaligned at FAULT
#include "program.h"

__global__ void Widen(const float* in, double* out, int n) {
  extern __shared__ float floats[];
  double* doubles = reinterpret_cast<double*>(floats + n);
  const int t = threadIdx.x;
  if (t < n) {
    floats[t] = in[t];
    doubles[t] = 2.0 * floats[t];  // FAULT
    out[t] = doubles[t];
  }
}

int main() {
  constexpr int kCount = 31;
  DeviceArray<float> in(kCount);
  DeviceArray<double> out(kCount);
  in.Fill(0);
  Widen<<<1, 32, kCount*(sizeof(float) + sizeof(double)) + 8>>>(in, out, kCount);
  return cudaDeviceSynchronize() == cudaErrorMisalignedAddress ? 0 : 1;
}
