// cudaDeviceReset ends a kernel that waits. What comes after it is checked as before.
// expect: stream-race at FAULT with OTHER
#include "program.h"

__global__ void Wait(const volatile int* flag) {
  while (*flag == 0) {
  }
}

__global__ void Add(int* sum) { *sum += 10; }

int main() {
  int* flag;
  CHECK(cudaMallocHost(&flag, sizeof(int)));
  *flag = 0;
  Wait<<<1, 1>>>(flag);
  CHECK(cudaGetLastError());
  CHECK(cudaDeviceReset());
  cudaStream_t first, second;
  CHECK(cudaStreamCreateWithFlags(&first, cudaStreamNonBlocking));
  CHECK(cudaStreamCreateWithFlags(&second, cudaStreamNonBlocking));
  {
    DeviceArray<int> sum(1);
    sum.Fill(0);
    CHECK(cudaDeviceSynchronize());
    Add<<<1, 1, 0, first>>>(sum);   // OTHER
    Add<<<1, 1, 0, second>>>(sum);  // FAULT
    FINISH();
  }
  CHECK(cudaStreamDestroy(first));
  CHECK(cudaStreamDestroy(second));
  return 0;
}
