// A recursion whose end is never reached.
// expect: stack-overflow at FAULT
#include "program.h"

__device__ __noinline__ int Steps(int n) {
  volatile int frame[32];
  frame[n & 31] = n;
  if (n == 1) return 0;
  return 1 + Steps(n % 2 == 0 ? n / 2 : 3 * n - 1) + 0 * frame[n & 31];  // FAULT
}

__global__ void Count(int from, int* steps) { *steps = Steps(from); }

int main() {
  DeviceArray<int> steps(1);
  Count<<<1, 1>>>(5, steps);  // 5, 14, 7, 20, 10, 5, ...
  return cudaDeviceSynchronize() != cudaSuccess ? 0 : 1;
}
