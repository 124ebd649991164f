// Recursion on the device's stack: Ackermann's function and the Towers of Hanoi, each thread to its own depth.
#include "feature.h"

__host__ __device__ __noinline__ int Ackermann(int m, int n) {
  if (m == 0) return n + 1;
  if (n == 0) return Ackermann(m - 1, 1);
  return Ackermann(m - 1, Ackermann(m, n - 1));
}

// The sum of (from, to, disc) over all moves.
__host__ __device__ __noinline__ int Hanoi(int discs, int from, int to) {
  if (discs == 0) return 0;
  const int other = 3 - from - to;
  return Hanoi(discs - 1, from, other) + (from * 4 + to) * discs + Hanoi(discs - 1, other, to);
}

__global__ void Recurse(int* ackermann, int* hanoi) {
  const int i = threadIdx.x;
  ackermann[i] = Ackermann(i % 3, i / 8);
  hanoi[i] = Hanoi(i / 6, 0, 2);
}

int main() {
  constexpr int kCount = 64;
  CHECK(cudaDeviceSetLimit(cudaLimitStackSize, 8192));
  size_t stack = 0;
  CHECK(cudaDeviceGetLimit(&stack, cudaLimitStackSize));
  Expect(stack >= 8192, "the stack that was asked for");
  int ackermann[kCount], hanoi[kCount], wanted_ackermann[kCount], wanted_hanoi[kCount];
  for (int i = 0; i < kCount; ++i) {
    wanted_ackermann[i] = Ackermann(i % 3, i / 8);
    wanted_hanoi[i] = Hanoi(i / 6, 0, 2);
  }
  DeviceArray<int> d_ackermann(kCount), d_hanoi(kCount);
  Recurse<<<1, kCount>>>(d_ackermann, d_hanoi);
  FINISH();
  d_ackermann.CopyTo(ackermann);
  d_hanoi.CopyTo(hanoi);
  ExpectSame("ackermann", ackermann, wanted_ackermann, kCount);
  ExpectSame("hanoi", hanoi, wanted_hanoi, kCount);
  Out(ackermann, sizeof ackermann);
  Out(hanoi, sizeof hanoi);
  return Verdict();
}
