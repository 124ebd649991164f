// cudaMallocAsync and cudaFreeAsync: memory that lives between two points of a stream, out of a pool.
#include "feature.h"

__global__ void Fill(int* values, int n, int seed) {
  for (int i = threadIdx.x; i < n; i += blockDim.x) values[i] = Mix(i + seed);
}

__global__ void Accumulate(const int* values, int* sums, int n) {
  for (int i = threadIdx.x; i < n; i += blockDim.x) sums[i] += values[i];
}

int main() {
  constexpr int kCount = 1500, kTurns = 5;
  static int got[kCount], want[kCount];
  for (int turn = 0; turn < kTurns; ++turn) {
    for (int i = 0; i < kCount; ++i) want[i] = static_cast<int>(static_cast<uint32_t>(want[i]) + Mix(i + turn));
  }
  cudaMemPool_t pool = nullptr;
  CHECK(cudaDeviceGetDefaultMemPool(&pool, 0));
  uint64_t keep = UINT64_MAX;
  CHECK(cudaMemPoolSetAttribute(pool, cudaMemPoolAttrReleaseThreshold, &keep));
  cudaStream_t stream;
  CHECK(cudaStreamCreate(&stream));
  int* sums = nullptr;
  CHECK(cudaMallocAsync(&sums, kCount * sizeof(int), stream));
  CHECK(cudaMemsetAsync(sums, 0, kCount * sizeof(int), stream));
  for (int turn = 0; turn < kTurns; ++turn) {
    int* values = nullptr;
    CHECK(cudaMallocAsync(&values, kCount * sizeof(int), stream));
    Fill<<<1, 256, 0, stream>>>(values, kCount, turn);
    Accumulate<<<1, 256, 0, stream>>>(values, sums, kCount);
    CHECK(cudaGetLastError());
    CHECK(cudaFreeAsync(values, stream));
  }
  CHECK(cudaMemcpyAsync(got, sums, sizeof got, cudaMemcpyDeviceToHost, stream));
  CHECK(cudaFreeAsync(sums, stream));
  CHECK(cudaStreamSynchronize(stream));
  ExpectSame("sums", got, want, kCount);
  Out(got, sizeof got);
  CHECK(cudaStreamDestroy(stream));
  return Verdict();
}
