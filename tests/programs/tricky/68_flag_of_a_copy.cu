// A kernel waits for a flag in device memory, which a copy in another stream sets, and its answer is what a second
// kernel waits for that began before it.
#include "program.h"

__global__ void WaitForCopy(const volatile int* flag, volatile int* answer) {
  while (*flag == 0) {
  }
  __threadfence();
  *answer = *flag + 1;
}

__global__ void WaitForKernel(const volatile int* answer, int* out) {
  while (*answer == 0) {
  }
  __threadfence();
  *out = *answer + 1;
}

int main() {
  cudaStream_t first, second, third;
  for (cudaStream_t* stream : {&first, &second, &third}) {
    CHECK(cudaStreamCreateWithFlags(stream, cudaStreamNonBlocking));
  }
  int* seven;
  CHECK(cudaMallocHost(&seven, sizeof(int)));
  *seven = 7;
  int result = 0;
  {
    DeviceArray<int> flag(1), answer(1), out(1);
    flag.Fill(0);
    answer.Fill(0);
    CHECK(cudaDeviceSynchronize());
    WaitForKernel<<<1, 1, 0, first>>>(answer, out);
    WaitForCopy<<<1, 1, 0, second>>>(flag, answer);
    CHECK(cudaGetLastError());
    CHECK(cudaMemcpyAsync(flag, seven, sizeof(int), cudaMemcpyHostToDevice, third));
    CHECK(cudaStreamSynchronize(first));
    CHECK(cudaMemcpyAsync(&result, out, sizeof(int), cudaMemcpyDeviceToHost, first));
    CHECK(cudaStreamSynchronize(first));
    CHECK(cudaDeviceSynchronize());
  }
  EXPECT(result == 9);
  PrintOut(&result, sizeof(result));
  CHECK(cudaFreeHost(seven));
  for (cudaStream_t stream : {first, second, third}) CHECK(cudaStreamDestroy(stream));
  return 0;
}
