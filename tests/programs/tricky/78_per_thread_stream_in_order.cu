// Compiled with CUDA_API_PER_THREAD_DEFAULT_STREAM: everything without a stream is in the thread's own default stream,
// in order. Another stream waits for it by an event, and the legacy default stream waits for it by itself.
// flags: -DCUDA_API_PER_THREAD_DEFAULT_STREAM
#include "program.h"

__device__ int offset;

__global__ void Add(const int* in, int* out) { out[threadIdx.x] += in[threadIdx.x] + offset; }

int main() {
  int *host, *temporary;
  const int three = 3;
  CHECK(cudaMallocHost(&host, 256 * sizeof(int)));
  for (int i = 0; i < 256; ++i) host[i] = i;
  cudaStream_t other;
  cudaEvent_t added, copied;
  CHECK(cudaStreamCreate(&other));
  CHECK(cudaEventCreate(&added));
  CHECK(cudaEventCreate(&copied));
  {
    DeviceArray<int> in(256), out(256);
    CHECK(cudaMemsetAsync(out.get(), 0, 256 * sizeof(int)));
    CHECK(cudaMemcpyAsync(in.get(), host, 256 * sizeof(int), cudaMemcpyHostToDevice));
    CHECK(cudaMemcpyToSymbolAsync(offset, &three, sizeof(int)));
    CHECK(cudaMallocAsync(&temporary, 256 * sizeof(int), cudaStreamPerThread));
    CHECK(cudaMemset(temporary, 0, 256 * sizeof(int)));
    Add<<<1, 256>>>(in, temporary);
    Add<<<1, 256>>>(temporary, out);
    CHECK(cudaGetLastError());
    CHECK(cudaFreeAsync(temporary, nullptr));
    CHECK(cudaEventRecord(added));
    CHECK(cudaStreamWaitEvent(other, added));
    CHECK(cudaMemcpyAsync(host, out.get(), 256 * sizeof(int), cudaMemcpyDeviceToHost, other));
    CHECK(cudaEventRecord(copied, other));
    CHECK(cudaStreamWaitEvent(nullptr, copied));
    Add<<<1, 256>>>(in, out);
    Add<<<1, 256, 0, cudaStreamLegacy>>>(in, out);
    Add<<<1, 256>>>(in, out);
    CHECK(cudaGetLastError());
    CHECK(cudaStreamSynchronize(nullptr));
    for (int i = 0; i < 256; ++i) EXPECT(host[i] == i + 6);
    CHECK(cudaMemcpy(host, out.get(), 256 * sizeof(int), cudaMemcpyDeviceToHost));
    for (int i = 0; i < 256; ++i) EXPECT(host[i] == 4 * i + 15);
  }
  PrintOut(host, 256 * sizeof(int));
  CHECK(cudaFreeHost(host));
  CHECK(cudaEventDestroy(added));
  CHECK(cudaEventDestroy(copied));
  CHECK(cudaStreamDestroy(other));
  return 0;
}
