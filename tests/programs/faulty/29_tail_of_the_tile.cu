// The last block has fewer elements than threads; their part of the tile stays as it was, and is summed.
// expect: uninitialised-read at FAULT
#include "program.h"

__global__ void Sum(const int* in, int* sums, int n) {
  __shared__ int tile[128];
  const int t = threadIdx.x, i = blockIdx.x * blockDim.x + t;
  if (i < n) tile[t] = in[i];
  __syncthreads();
  for (int s = 64; s > 0; s /= 2) {
    int other = 0;
    if (t < s) other = tile[t + s];  // FAULT
    __syncthreads();
    if (t < s && i < n) tile[t] += other;
    __syncthreads();
  }
  if (t == 0) sums[blockIdx.x] = tile[0];
}

int main() {
  constexpr int kCount = 300;
  DeviceArray<int> in(kCount), sums(3);
  in.Fill(0);
  Sum<<<3, 128>>>(in, sums, kCount);
  FINISH();
  return 0;
}
