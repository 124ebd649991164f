// The same line is wrong in each instance of a template, in each of several launches. It is one fault.
// expect: shared-race at FAULT with OTHER
#include "program.h"

template <typename T>
__global__ void Reverse(T* data) {
  __shared__ T tile[64];
  tile[threadIdx.x] = data[threadIdx.x];       // OTHER
  data[threadIdx.x] = tile[63 - threadIdx.x];  // FAULT
}

template <typename T>
void Use() {
  DeviceArray<T> data(64);
  data.Fill(0);
  for (int round = 0; round < 3; ++round) Reverse<<<1, 64>>>(data.get());
  FINISH();
}

int main() {
  Use<int>();
  Use<float>();
  Use<double>();
  return 0;
}
