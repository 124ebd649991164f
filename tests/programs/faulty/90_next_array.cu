// A kilobyte past the end of an array, where a GPU has the next one: it reads the neighbour's values and says nothing.
// expect: out-of-bounds at FAULT
#include "program.h"

__global__ void Shift(const int* in, int* out) { out[threadIdx.x] = in[threadIdx.x + 256]; }  // FAULT

int main() {
  int *in = nullptr, *next = nullptr, *out = nullptr;
  CHECK(cudaMalloc(&in, 256 * sizeof(int)));
  CHECK(cudaMalloc(&next, 4096 * sizeof(int)));
  CHECK(cudaMalloc(&out, 256 * sizeof(int)));
  CHECK(cudaMemset(in, 0, 256 * sizeof(int)));
  CHECK(cudaMemset(next, 0, 4096 * sizeof(int)));
  Shift<<<1, 256>>>(in, out);
  const bool stopped = cudaDeviceSynchronize() == cudaErrorIllegalAddress;
  for (int* array : {in, next, out}) cudaFree(array);
  return stopped ? 0 : 1;
}
