// Asynchronous copies of every direction in one stream, one after the other: in, device to device, out, host to host.
#include "feature.h"

__global__ void Negate(int* values, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) values[i] = -values[i];
}

int main() {
  constexpr int kCount = 4096, kBytes = kCount * sizeof(int);
  int *in = nullptr, *out = nullptr, *last = nullptr;
  CHECK(cudaMallocHost(&in, kBytes));
  CHECK(cudaMallocHost(&out, kBytes));
  CHECK(cudaMallocHost(&last, kBytes));
  static int want[kCount];
  for (int i = 0; i < kCount; ++i) {
    in[i] = Mix(i) >> 1;
    want[i] = -in[i];
  }
  DeviceArray<int> first(kCount), second(kCount);
  cudaStream_t stream;
  CHECK(cudaStreamCreate(&stream));
  CHECK(cudaMemsetAsync(second, 0, kBytes, stream));
  CHECK(cudaMemcpyAsync(first, in, kBytes, cudaMemcpyHostToDevice, stream));
  Negate<<<kCount / 128, 128, 0, stream>>>(first, kCount);
  CHECK(cudaGetLastError());
  CHECK(cudaMemcpyAsync(second, first, kBytes, cudaMemcpyDeviceToDevice, stream));
  CHECK(cudaMemcpyAsync(out, second.get(), kBytes, cudaMemcpyDefault, stream));
  CHECK(cudaMemcpyAsync(last, out, kBytes, cudaMemcpyHostToHost, stream));
  CHECK(cudaStreamSynchronize(stream));
  ExpectSame("last", last, want, kCount);
  Out(last, kBytes);
  CHECK(cudaStreamDestroy(stream));
  for (int* pinned : {in, out, last}) CHECK(cudaFreeHost(pinned));
  return Verdict();
}
