// Bitonic sort: a network of compare-and-swap steps, those within a block's reach done in shared memory.
#include "feature.h"

constexpr int kThreads = 128, kPart = 2 * kThreads;

__device__ void Order(unsigned& a, unsigned& b, bool ascending) {
  if ((a > b) != ascending) return;
  const unsigned swapped = a;
  a = b;
  b = swapped;
}

__global__ void StepInGlobal(unsigned* keys, int size, int stride) {
  const int t = blockIdx.x * blockDim.x + threadIdx.x;
  const int i = 2 * t - t % stride;
  Order(keys[i], keys[i + stride], (i & size) == 0);
}

__global__ void StepsInShared(unsigned* keys, int size, int first_stride) {
  __shared__ unsigned part[kPart];
  const int base = blockIdx.x * kPart;
  part[threadIdx.x] = keys[base + threadIdx.x];
  part[threadIdx.x + kThreads] = keys[base + threadIdx.x + kThreads];
  for (int stride = first_stride; stride > 0; stride /= 2) {
    __syncthreads();
    const int i = 2 * threadIdx.x - threadIdx.x % stride;
    Order(part[i], part[i + stride], ((base + i) & size) == 0);
  }
  __syncthreads();
  keys[base + threadIdx.x] = part[threadIdx.x];
  keys[base + threadIdx.x + kThreads] = part[threadIdx.x + kThreads];
}

int main() {
  constexpr int kCount = 2048, kRange = 3000;
  static unsigned keys[kCount], got[kCount], want[kCount];
  int seen[kRange] = {}, next = 0;
  for (int i = 0; i < kCount; ++i) ++seen[keys[i] = Mix(i) % kRange];
  for (int k = 0; k < kRange; ++k) {
    for (int c = 0; c < seen[k]; ++c) want[next++] = k;
  }
  DeviceArray<unsigned> d_keys(keys, kCount);
  for (int size = 2; size <= kCount; size *= 2) {
    int stride = size / 2;
    for (; stride > kThreads; stride /= 2) StepInGlobal<<<kCount / kPart, kThreads>>>(d_keys, size, stride);
    StepsInShared<<<kCount / kPart, kThreads>>>(d_keys, size, stride);
  }
  FINISH();
  d_keys.CopyTo(got);
  ExpectSame("keys", got, want, kCount);
  Out(got, sizeof got);
  return Verdict();
}
