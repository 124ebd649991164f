// Events order work between two streams and measure it: the consumer's stream waits for the producer's event.
#include "feature.h"

__global__ void Produce(int* data, int n) {
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) data[i] = Mix(i);
}

__global__ void Consume(const int* data, int* sums, int n) {
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
    sums[i] = data[i] ^ data[n - 1 - i];
}

int main() {
  constexpr int kCount = 30000;
  static int got[kCount], want[kCount];
  for (int i = 0; i < kCount; ++i) want[i] = Mix(i) ^ Mix(kCount - 1 - i);
  DeviceArray<int> data(kCount), sums(kCount);
  cudaStream_t producer, consumer;
  CHECK(cudaStreamCreateWithFlags(&producer, cudaStreamNonBlocking));
  CHECK(cudaStreamCreateWithFlags(&consumer, cudaStreamNonBlocking));
  cudaEvent_t start, produced, end;
  CHECK(cudaEventCreate(&start));
  CHECK(cudaEventCreate(&produced));
  CHECK(cudaEventCreate(&end));

  CHECK(cudaEventRecord(start, producer));
  Produce<<<40, 128, 0, producer>>>(data, kCount);
  CHECK(cudaEventRecord(produced, producer));
  CHECK(cudaStreamWaitEvent(consumer, produced, 0));
  Consume<<<40, 128, 0, consumer>>>(data, sums, kCount);
  CHECK(cudaEventRecord(end, consumer));
  CHECK(cudaEventSynchronize(end));
  CHECK(cudaGetLastError());
  Expect(cudaEventQuery(produced) == cudaSuccess, "what the last event waited for has happened");

  float first_ms = -1, whole_ms = -1;
  CHECK(cudaEventElapsedTime(&first_ms, start, produced));
  CHECK(cudaEventElapsedTime(&whole_ms, start, end));
  Expect(first_ms >= 0 && whole_ms >= first_ms, "time grows from event to event");
  sums.CopyTo(got);
  ExpectSame("sums", got, want, kCount);
  Out(got, sizeof got);
  for (cudaEvent_t event : {start, produced, end}) CHECK(cudaEventDestroy(event));
  CHECK(cudaStreamDestroy(producer));
  CHECK(cudaStreamDestroy(consumer));
  return Verdict();
}
