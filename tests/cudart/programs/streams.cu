#include "expect.h"

__global__ void add_one(int* data, int n) {
  for (int i = threadIdx.x; i < n; i += blockDim.x) data[i] += 1;
}

int calls = 0;
void CUDART_CB Count(void* by) { calls += *static_cast<int*>(by); }

int main() {
  const int n = 4096;
  int* d_data;
  EXPECT_OK(cudaMalloc(&d_data, n * sizeof(int)));
  EXPECT_OK(cudaMemset(d_data, 0, n * sizeof(int)));
  cudaStream_t first, second;
  EXPECT_OK(cudaStreamCreate(&first));
  EXPECT_OK(cudaStreamCreateWithFlags(&second, cudaStreamNonBlocking));
  cudaEvent_t start, middle, end, untimed;
  EXPECT_OK(cudaEventCreate(&start));
  EXPECT_OK(cudaEventCreate(&middle));
  EXPECT_OK(cudaEventCreate(&end));
  EXPECT_OK(cudaEventCreateWithFlags(&untimed, cudaEventDisableTiming));

  float ms = -1;
  EXPECT_CODE(cudaEventElapsedTime(&ms, start, end), cudaErrorInvalidResourceHandle);
  EXPECT_OK(cudaEventRecord(start, first));
  add_one<<<1, 256, 0, first>>>(d_data, 32);
  EXPECT_OK(cudaEventRecord(middle, first));
  EXPECT_OK(cudaStreamWaitEvent(second, middle, 0));
  add_one<<<1, 256, 0, second>>>(d_data, n);
  EXPECT_OK(cudaEventRecord(end, second));
  EXPECT_OK(cudaEventSynchronize(end));
  EXPECT_OK(cudaEventQuery(end));
  EXPECT_OK(cudaStreamSynchronize(second));
  EXPECT_OK(cudaStreamQuery(first));

  float little = 0, much = 0;
  EXPECT_OK(cudaEventElapsedTime(&little, start, middle));
  EXPECT_OK(cudaEventElapsedTime(&much, middle, end));
  EXPECT(little > 0);
  EXPECT(much >= little);
  EXPECT_OK(cudaEventRecord(untimed));
  EXPECT_CODE(cudaEventElapsedTime(&ms, start, untimed), cudaErrorInvalidResourceHandle);

  int host[2];
  EXPECT_OK(cudaMemcpyAsync(&host[0], d_data, 4, cudaMemcpyDeviceToHost, first));
  EXPECT_OK(cudaMemcpyAsync(&host[1], d_data + n - 1, 4, cudaMemcpyDeviceToHost, first));
  EXPECT(host[0] == 2 && host[1] == 1);
  int by = 5;
  EXPECT_OK(cudaLaunchHostFunc(first, Count, &by));
  EXPECT(calls == 5);

  EXPECT_OK(cudaStreamDestroy(first));
  EXPECT_CODE(cudaStreamDestroy(first), cudaErrorInvalidResourceHandle);
  EXPECT_CODE(cudaStreamSynchronize(first), cudaErrorInvalidResourceHandle);
  EXPECT_OK(cudaEventDestroy(start));
  EXPECT_CODE(cudaEventRecord(start), cudaErrorInvalidResourceHandle);
  EXPECT_OK(cudaStreamSynchronize(cudaStreamPerThread));
  return Failures();
}
