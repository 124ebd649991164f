// A kernel waits for a flag of the host, and everything that can stand behind it in its stream is queued: copies from
// and to memory of every kind, sets, events, functions of the host, a graph, another kernel, a free.
#include <cstring>

#include "expect.h"

__global__ void wait_for(const volatile int* flag) {
  while (*flag == 0) {
  }
}

__global__ void add(int* data, int value) { data[threadIdx.x] += value; }

int calls = 0;
void CUDART_CB Count(void* by) { calls += *static_cast<int*>(by); }
void CUDART_CB Called(cudaStream_t, cudaError_t status, void*) { calls += status == cudaSuccess ? 10 : 0; }

// CUDA allows a host function no call of the API. At the call and behind a kernel it gets an error, and does not wait.
cudaError_t answers[3];
void CUDART_CB CallCuda(void* answer) { *static_cast<cudaError_t*>(answer) = cudaDeviceSynchronize(); }
void CUDART_CB CallCudaBack(cudaStream_t, cudaError_t, void* answer) { CallCuda(answer); }

void RefusesCallsInHostFunctions() {
  int* flag;
  EXPECT_OK(cudaMallocHost(&flag, sizeof(int)));
  *flag = 0;
  EXPECT_OK(cudaLaunchHostFunc(nullptr, CallCuda, &answers[0]));
  EXPECT_OK(cudaDeviceSynchronize());
  wait_for<<<1, 1>>>(flag);
  EXPECT_OK(cudaLaunchHostFunc(nullptr, CallCuda, &answers[1]));
  EXPECT_OK(cudaStreamAddCallback(nullptr, CallCudaBack, &answers[2], 0));
  *static_cast<volatile int*>(flag) = 1;
  EXPECT_OK(cudaDeviceSynchronize());
  for (const cudaError_t answer : answers) EXPECT(answer == cudaErrorNotPermitted);
  static_cast<void>(cudaGetLastError());
  EXPECT_OK(cudaFreeHost(flag));
}

// Long because everything stands behind one kernel.
int main() {
  constexpr int n = 64;
  constexpr size_t bytes = n * sizeof(int);
  int *flag, *pinned, *d_data, *d_more, *d_pool;
  int pageable[n], one = 1;
  EXPECT_OK(cudaMallocHost(&flag, sizeof(int)));
  EXPECT_OK(cudaMallocHost(&pinned, bytes));
  EXPECT_OK(cudaMalloc(&d_data, bytes));
  EXPECT_OK(cudaMalloc(&d_more, bytes));
  cudaStream_t stream, other;
  EXPECT_OK(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking));
  EXPECT_OK(cudaStreamCreateWithFlags(&other, cudaStreamNonBlocking));
  cudaEvent_t start, end;
  EXPECT_OK(cudaEventCreate(&start));
  EXPECT_OK(cudaEventCreate(&end));
  cudaGraph_t graph;
  cudaGraphExec_t exec;
  EXPECT_OK(cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal));
  add<<<1, n, 0, stream>>>(d_data, 100);
  EXPECT_OK(cudaLaunchHostFunc(stream, Count, &one));
  EXPECT_OK(cudaStreamEndCapture(stream, &graph));
  EXPECT_OK(cudaGraphInstantiate(&exec, graph, 0));
  EXPECT_OK(cudaMallocAsync(reinterpret_cast<void**>(&d_pool), bytes, stream));

  *flag = 0;
  for (int i = 0; i < n; ++i) pageable[i] = i;
  EXPECT_OK(cudaEventRecord(start, stream));
  wait_for<<<1, 1, 0, stream>>>(flag);
  EXPECT_OK(cudaGetLastError());
  EXPECT_OK(cudaMemcpyAsync(d_data, pageable, bytes, cudaMemcpyHostToDevice, stream));
  std::memset(pageable, 0, sizeof pageable);  // the copy has read it
  EXPECT_OK(cudaMemsetAsync(d_more, 0, bytes, stream));
  EXPECT_OK(cudaGraphLaunch(exec, stream));
  EXPECT_OK(cudaMemcpyAsync(d_pool, d_data, bytes, cudaMemcpyDeviceToDevice, stream));
  EXPECT_OK(cudaMemcpyAsync(pinned, d_pool, bytes, cudaMemcpyDeviceToHost, stream));
  EXPECT_OK(cudaFreeAsync(d_pool, stream));
  EXPECT_OK(cudaStreamAddCallback(stream, Called, nullptr, 0));
  EXPECT_OK(cudaEventRecord(end, stream));
  EXPECT_OK(cudaStreamWaitEvent(other, end, 0));
  add<<<1, n, 0, other>>>(d_more, 5);
  EXPECT_OK(cudaGetLastError());

  EXPECT(calls == 0);
  EXPECT_CODE(cudaStreamQuery(stream), cudaErrorNotReady);
  EXPECT_CODE(cudaStreamQuery(other), cudaErrorNotReady);
  EXPECT_CODE(cudaEventQuery(end), cudaErrorNotReady);
  EXPECT_OK(cudaEventSynchronize(start));
  float ms = -1;
  EXPECT_CODE(cudaEventElapsedTime(&ms, start, end), cudaErrorNotReady);
  EXPECT_CODE(cudaGetLastError(), cudaErrorNotReady);
  EXPECT_OK(cudaMemset(d_more + 32, 0, 0));
  EXPECT_OK(cudaStreamSynchronize(nullptr));  // waits for blocking streams only

  *static_cast<volatile int*>(flag) = 1;
  EXPECT_OK(cudaMemcpyAsync(pageable, d_more, bytes, cudaMemcpyDeviceToHost, other));  // waits for what is before it
  for (int i = 0; i < n; ++i) EXPECT(pageable[i] == 5);
  EXPECT_OK(cudaEventSynchronize(end));
  for (int i = 0; i < n; ++i) EXPECT(pinned[i] == i + 100);
  EXPECT(calls == 11);
  EXPECT_OK(cudaEventElapsedTime(&ms, start, end));
  EXPECT(ms > 0);
  EXPECT_OK(cudaStreamQuery(stream));

  EXPECT_OK(cudaGraphExecDestroy(exec));
  EXPECT_OK(cudaGraphDestroy(graph));
  EXPECT_OK(cudaStreamDestroy(stream));
  EXPECT_OK(cudaStreamDestroy(other));
  EXPECT_OK(cudaEventDestroy(start));
  EXPECT_OK(cudaEventDestroy(end));
  EXPECT_OK(cudaFree(d_data));
  EXPECT_OK(cudaFree(d_more));
  EXPECT_OK(cudaFreeHost(flag));
  EXPECT_OK(cudaFreeHost(pinned));
  RefusesCallsInHostFunctions();
  return Failures();
}
