// A binary search that does not move on when two are left. No budget stops it: its state comes back.
// expect: endless-loop at FAULT
#include "program.h"

__global__ void LowerBound(const int* sorted, int n, int wanted, int* where) {
  int low = 0, high = n;
  while (low < high) {                    // FAULT
    const int middle = (low + high) / 2;  // FAULT
    if (sorted[middle] < wanted) {        // FAULT
      low = middle;                       // FAULT
    } else {
      high = middle;
    }
  }
  where[blockIdx.x * blockDim.x + threadIdx.x] = low;
}

int main() {
  const int host[4] = {1, 3, 5, 7};
  DeviceArray<int> sorted(4), where(6 * 64);
  sorted.CopyFrom(host);
  LowerBound<<<6, 64>>>(sorted, 4, 4, where);
  return cudaDeviceSynchronize() == cudaErrorLaunchTimeout ? 0 : 1;
}
