// cudaLaunchHostFunc: a function of the host takes its turn in a stream, between two copies.
#include "feature.h"

struct Work {
  int* values;
  int count;
  int calls;
};

void CUDART_CB Reverse(void* argument) {  // no CUDA call is allowed here
  Work* work = static_cast<Work*>(argument);
  for (int i = 0; i < work->count / 2; ++i) {
    const int swapped = work->values[i];
    work->values[i] = work->values[work->count - 1 - i];
    work->values[work->count - 1 - i] = swapped;
  }
  ++work->calls;
}

__global__ void AddIndex(int* values, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) values[i] = values[i] * 2 + i;
}

int main() {
  constexpr int kCount = 700, kBytes = kCount * sizeof(int);
  int* values = nullptr;
  CHECK(cudaMallocHost(&values, kBytes));
  static int want[kCount];
  for (int i = 0; i < kCount; ++i) want[i] = values[i] = Mix(i) % 1000;
  DeviceArray<int> d_values(kCount);
  cudaStream_t stream;
  CHECK(cudaStreamCreate(&stream));
  Work work = {values, kCount, 0};
  for (int turn = 0; turn < 3; ++turn) {
    CHECK(cudaMemcpyAsync(d_values, values, kBytes, cudaMemcpyHostToDevice, stream));
    AddIndex<<<(kCount + 255) / 256, 256, 0, stream>>>(d_values, kCount);
    CHECK(cudaGetLastError());
    CHECK(cudaMemcpyAsync(values, d_values, kBytes, cudaMemcpyDeviceToHost, stream));
    CHECK(cudaLaunchHostFunc(stream, Reverse, &work));
    for (int i = 0; i < kCount; ++i) want[i] = want[i] * 2 + i;
    for (int i = 0; i < kCount / 2; ++i) {
      const int swapped = want[i];
      want[i] = want[kCount - 1 - i];
      want[kCount - 1 - i] = swapped;
    }
  }
  CHECK(cudaStreamSynchronize(stream));
  Expect(work.calls == 3, "each turn called the host");
  ExpectSame("values", values, want, kCount);
  Out(values, kBytes);
  CHECK(cudaStreamDestroy(stream));
  CHECK(cudaFreeHost(values));
  return Verdict();
}
