// Two pinned buffers in turns: the host fills the one whose copy it has waited for while the other one's is under way.
// A host function looks at the answer in stream order, and neighbours of what a copy writes are touched meanwhile.
#include "program.h"

__global__ void Sum(const int* in, int n, int* sum) {
  for (int i = threadIdx.x; i < n; i += blockDim.x) atomicAdd(sum, in[i]);
}

void CUDART_CB Negate(void* value) { *static_cast<int*>(value) *= -1; }

int main() {
  constexpr int kN = 3000, kRounds = 5;
  int *host[2], *answer, *many;
  DeviceArray<int> part(kN), sum(1);
  cudaStream_t stream;
  cudaEvent_t copied[2];
  CHECK(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking));
  CHECK(cudaMallocHost(&answer, sizeof(int)));
  CHECK(cudaMallocManaged(&many, 10000 * sizeof(int)));
  for (int b = 0; b < 2; ++b) {
    CHECK(cudaMallocHost(&host[b], kN * sizeof(int)));
    CHECK(cudaEventCreate(&copied[b]));
  }
  CHECK(cudaMemsetAsync(sum, 0, sizeof(int), stream));
  for (int round = 0; round < kRounds; ++round) {
    const int b = round % 2;
    if (round >= 2) CHECK(cudaEventSynchronize(copied[b]));
    for (int i = 0; i < kN; ++i) host[b][i] = round + i % 3;
    CHECK(cudaMemcpyAsync(part, host[b], kN * sizeof(int), cudaMemcpyHostToDevice, stream));
    CHECK(cudaEventRecord(copied[b], stream));
    Sum<<<1, 256, 0, stream>>>(part, kN, sum);
    int looked = 0;
    for (int i = 0; i < kN; ++i) looked += host[b][i];  // reading what a copy reads is no conflict
    EXPECT(looked >= kN * round);
  }
  CHECK(cudaMemcpyAsync(answer, sum, sizeof(int), cudaMemcpyDeviceToHost, stream));
  CHECK(cudaLaunchHostFunc(stream, Negate, answer));
  CHECK(cudaMemsetAsync(many + 10, 0, 9000 * sizeof(int), stream));
  for (int i = 0; i < 10; ++i) many[i] = i;
  for (int i = 9010; i < 10000; ++i) many[i] = i;
  CHECK(cudaStreamSynchronize(stream));
  EXPECT(*answer == -(kRounds * kN + kN * (0 + 1 + 2 + 3 + 4)) && many[9] == 9 && many[10] == 0 && many[9010] == 9010);
  PrintOut(answer, sizeof(int));
  for (int b = 0; b < 2; ++b) {
    CHECK(cudaFreeHost(host[b]));
    CHECK(cudaEventDestroy(copied[b]));
  }
  CHECK(cudaFreeHost(answer));
  CHECK(cudaFree(many));
  CHECK(cudaStreamDestroy(stream));
  return 0;
}
