// Two phases over the whole grid with only __syncthreads() between them.
// expect: global-race at FAULT with OTHER
#include "program.h"

__global__ void ReverseTwice(const int* in, int* middle, int* out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  middle[n - 1 - i] = in[i];  // OTHER
  __syncthreads();
  out[i] = middle[i];  // FAULT
}

int main() {
  constexpr int kCount = 512;
  DeviceArray<int> in(kCount), middle(kCount), out(kCount);
  in.Fill(0);
  ReverseTwice<<<4, 128>>>(in, middle, out, kCount);
  FINISH();
  return 0;
}
