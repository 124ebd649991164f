// A lookup table in constant memory with one entry too few.
// expect: out-of-bounds at FAULT
#include "program.h"

__constant__ int days_before[12] = {0, 31, 59, 90, 120, 151, 181, 212, 243, 273, 304, 334};

__global__ void DayOfYear(const int* month, int* day, int n) {
  const int i = threadIdx.x;
  if (i < n) day[i] = days_before[month[i]] + 1;  // FAULT
}

int main() {
  const int host[4] = {0, 5, 11, 12};
  DeviceArray<int> month(4), day(4);
  month.CopyFrom(host);
  DayOfYear<<<1, 32>>>(month, day, 4);
  return cudaDeviceSynchronize() == cudaErrorIllegalAddress ? 0 : 1;
}
