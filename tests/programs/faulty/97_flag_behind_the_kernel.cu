// A kernel waits for a flag which a copy sets that is behind it in the same stream.
// expect: deadlock at FAULT
#include "program.h"

__global__ void Wait(const volatile int* flag, int* out) {
  while (*flag == 0) {  // FAULT
  }
  *out = 1;
}

int main() {
  cudaStream_t stream;
  CHECK(cudaStreamCreate(&stream));
  int* one;
  CHECK(cudaMallocHost(&one, sizeof(int)));
  *one = 1;
  DeviceArray<int> flag(1), out(1);
  flag.Fill(0);
  Wait<<<1, 1, 0, stream>>>(flag, out);
  CHECK(cudaMemcpyAsync(flag, one, sizeof(int), cudaMemcpyHostToDevice, stream));
  EXPECT(cudaStreamSynchronize(stream) == cudaErrorLaunchTimeout);
  return 0;
}
