// A kernel waits for a flag in pinned memory, which the host sets after the launch. What comes behind the kernel in its
// stream waits with it, and the work of another stream does not.
#include "program.h"

__global__ void WaitAndCopy(const volatile int* flag, const int* in, int* out) {
  if (threadIdx.x == 0) {
    while (*flag == 0) {
    }
    __threadfence_system();
  }
  __syncthreads();
  out[threadIdx.x] = in[threadIdx.x] + 1;
}

__global__ void Double(int* data) { data[threadIdx.x] *= 2; }

int main() {
  int *flag, *in, *result;
  CHECK(cudaMallocHost(&flag, sizeof(int)));
  CHECK(cudaMallocHost(&in, 256 * sizeof(int)));
  CHECK(cudaMallocHost(&result, 256 * sizeof(int)));
  cudaStream_t waits, free;
  CHECK(cudaStreamCreateWithFlags(&waits, cudaStreamNonBlocking));
  CHECK(cudaStreamCreateWithFlags(&free, cudaStreamNonBlocking));
  cudaEvent_t copied, doubled;
  CHECK(cudaEventCreate(&copied));
  CHECK(cudaEventCreate(&doubled));
  {
    DeviceArray<int> out(256), other(256);
    *flag = 0;
    result[7] = -1;
    WaitAndCopy<<<1, 256, 0, waits>>>(flag, in, out);
    CHECK(cudaGetLastError());
    CHECK(cudaEventRecord(copied, waits));
    CHECK(cudaEventQuery(copied) == cudaErrorNotReady ? cudaSuccess : cudaErrorUnknown);
    CHECK(cudaStreamQuery(waits) == cudaErrorNotReady ? cudaSuccess : cudaErrorUnknown);
    static_cast<void>(cudaGetLastError());
    CHECK(cudaStreamQuery(free));

    CHECK(cudaMemsetAsync(other, 0, 256 * sizeof(int), free));
    Double<<<1, 256, 0, free>>>(other);
    CHECK(cudaStreamSynchronize(free));

    CHECK(cudaStreamWaitEvent(free, copied));
    Double<<<1, 256, 0, free>>>(out);
    CHECK(cudaEventRecord(doubled, free));
    CHECK(cudaStreamWaitEvent(waits, doubled));
    CHECK(cudaMemcpyAsync(result, out, 256 * sizeof(int), cudaMemcpyDeviceToHost, waits));

    for (int i = 0; i < 256; ++i) in[i] = 10 * i;
    *static_cast<volatile int*>(flag) = 1;
    CHECK(cudaStreamSynchronize(waits));
    for (int i = 0; i < 256; ++i) EXPECT(result[i] == 2 * (10 * i + 1));
  }
  PrintOut(result, 256 * sizeof(int));
  CHECK(cudaEventDestroy(copied));
  CHECK(cudaEventDestroy(doubled));
  CHECK(cudaStreamDestroy(waits));
  CHECK(cudaStreamDestroy(free));
  CHECK(cudaFreeHost(flag));
  CHECK(cudaFreeHost(in));
  CHECK(cudaFreeHost(result));
  return 0;
}
