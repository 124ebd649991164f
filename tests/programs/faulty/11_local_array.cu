// A digit counter on the stack, indexed by a value that is not always a digit.
// expect: out-of-bounds at FAULT
#include "program.h"

__global__ void CountDigits(const int* values, int n, int* most) {
  int count[10] = {};
  for (int i = 0; i < n; ++i) count[values[i]] += 1;  // FAULT
  int best = 0;
  for (int d = 1; d < 10; ++d) best = count[d] > count[best] ? d : best;
  *most = best;
}

int main() {
  const int host[4] = {1, 7, 100000, 7};
  DeviceArray<int> values(4), most(1);
  values.CopyFrom(host);
  CountDigits<<<1, 1>>>(values, 4, most);
  return cudaDeviceSynchronize() == cudaErrorIllegalAddress ? 0 : 1;
}
