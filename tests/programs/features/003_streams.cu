// Four streams each copy their slice in, work on it and copy it out; within a stream everything keeps its order.
#include "feature.h"

__global__ void Square(int* values, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) values[i] = values[i] * values[i] + 1;
}

int main() {
  constexpr int kStreams = 4, kSlice = 5000, kCount = kStreams * kSlice;
  int* values = nullptr;  // pinned, so that the copies may overlap
  CHECK(cudaMallocHost(&values, kCount * sizeof(int)));
  static int want[kCount];
  for (int i = 0; i < kCount; ++i) {
    values[i] = i % 4099;
    const int once = values[i] * values[i] + 1;
    want[i] = static_cast<int>(static_cast<unsigned>(once) * once + 1u);
  }
  DeviceArray<int> d_values(kCount);
  cudaStream_t streams[kStreams];
  for (cudaStream_t& stream : streams) CHECK(cudaStreamCreate(&stream));
  for (int s = 0; s < kStreams; ++s) {
    int* slice = d_values + s * kSlice;
    CHECK(cudaMemcpyAsync(slice, values + s * kSlice, kSlice * sizeof(int), cudaMemcpyHostToDevice, streams[s]));
    for (int turn = 0; turn < 2; ++turn) Square<<<(kSlice + 127) / 128, 128, 0, streams[s]>>>(slice, kSlice);
    CHECK(cudaGetLastError());
    CHECK(cudaMemcpyAsync(values + s * kSlice, slice, kSlice * sizeof(int), cudaMemcpyDeviceToHost, streams[s]));
  }
  for (cudaStream_t stream : streams) {
    CHECK(cudaStreamSynchronize(stream));
    Expect(cudaStreamQuery(stream) == cudaSuccess, "a stream that was waited for is idle");
    CHECK(cudaStreamDestroy(stream));
  }
  ExpectSame("values", values, want, kCount);
  Out(values, kCount * sizeof(int));
  CHECK(cudaFreeHost(values));
  return Verdict();
}
