// What a kernel can learn about launches that fail: it reads the error, so there is no finding.
#include "program.h"

__global__ void Nothing() {}

__global__ void Wrong(int* errors) {
  Nothing<<<1, 2000>>>();  // too many threads
  errors[0] = cudaPeekAtLastError();
  errors[1] = cudaGetLastError();
  errors[2] = cudaGetLastError();
  Nothing<<<1, 1>>>();
  errors[3] = cudaGetLastError();
  cudaStream_t stream;
  errors[4] = cudaStreamCreateWithFlags(&stream, cudaStreamDefault);  // works on an H200, whatever the guide says
  cudaGetLastError();
  printf("%s: %s\n", cudaGetErrorName(cudaErrorInvalidConfiguration),
         cudaGetErrorString(cudaErrorInvalidConfiguration));
  errors[5] = cudaDeviceGetAttribute(&errors[6], cudaDevAttrMultiProcessorCount, 0);
}

__global__ void WaitFor(int* flag) {
  while (atomicAdd(flag, 0) == 0) {
  }
}

// More launches than may be pending: none of them can begin before the first one ends, and that waits for this kernel.
__global__ void Many(int n, int* failed, int* flag) {
  WaitFor<<<1, 1>>>(flag);
  for (int i = 0; i < n; ++i) {
    Nothing<<<1, 1>>>();
    if (cudaGetLastError() == cudaErrorLaunchPendingCountExceeded) ++*failed;
  }
  atomicExch(flag, 1);
}

// A grid that launches another one, and so on. None is over before the last one is.
__global__ void Deeper(int depth, int* deepest) {
  *deepest = depth;
  if (depth == 4000) return;
  Deeper<<<1, 1>>>(depth + 1, deepest);
  const cudaError_t error = cudaGetLastError();
  if (error != cudaSuccess) deepest[1] = error;
}

// Each takes the place of the one before.
__global__ void Chain(int left, int* ran) {
  ++*ran;
  if (left > 0) {
    Chain<<<1, 1, 0, cudaStreamTailLaunch>>>(left - 1, ran);
  } else {
    Nothing<<<1, 1>>>();  // one grid below the host's, however long the chain is
  }
  const cudaError_t error = cudaGetLastError();
  if (error != cudaSuccess) ran[1] = error;
}

int main() {
  DeviceArray<int> numbers(8);
  int got[8];
  numbers.Fill(0);
  Wrong<<<1, 1>>>(numbers);
  FINISH();
  numbers.CopyTo(got);
  std::printf("wrong: %d %d %d %d %d %d\n", got[0], got[1], got[2], got[3], got[4], got[5]);
  EXPECT(got[0] == cudaErrorInvalidConfiguration && got[1] == got[0] && got[2] == 0 && got[3] == 0);
  EXPECT(got[4] == 0 && got[5] == 0 && got[6] > 0);

  numbers.Fill(0);
  Many<<<1, 1>>>(2100, numbers, numbers + 1);
  FINISH();
  numbers.CopyTo(got);
  std::printf("many: %d failed\n", got[0]);
  EXPECT(got[0] == 2101 - 2048);
  CHECK(cudaDeviceSetLimit(cudaLimitDevRuntimePendingLaunchCount, 3000));
  numbers.Fill(0);
  Many<<<1, 1>>>(2100, numbers, numbers + 1);
  FINISH();
  numbers.CopyTo(got);
  std::printf("many, with a higher limit: %d failed\n", got[0]);
  EXPECT(got[0] == 0);

  numbers.Fill(0);
  Deeper<<<1, 1>>>(0, numbers);
  FINISH();
  numbers.CopyTo(got);
  std::printf("deepest: %d, error %d\n", got[0], got[1]);
  EXPECT(got[0] == 3000 && got[1] == cudaErrorLaunchPendingCountExceeded);

  numbers.Fill(0);
  Chain<<<1, 1>>>(5000, numbers);
  FINISH();
  numbers.CopyTo(got);
  std::printf("chain: %d, error %d\n", got[0], got[1]);
  EXPECT(got[0] == 5001 && got[1] == 0);
  return 0;
}
