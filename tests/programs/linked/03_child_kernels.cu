// Kernels that launch kernels: children see what their parent wrote before, children of one block come in order, and a
// tail launch comes after all of them. The host sees all of it.
#include "program.h"

struct Pair {
  int first;
  char second;
};

constexpr int kBlocks = 4, kThreads = 64;

__global__ void Add(int* values, Pair pair, double factor) {
  values[blockIdx.x * blockDim.x + threadIdx.x] += static_cast<int>(factor) * pair.first + pair.second;
}

// Needs what the two children of its block did.
__global__ void Double(int* values) { values[threadIdx.x] *= 2; }

__global__ void SumUp(const int* values, int n, int* sum) {
  extern __shared__ int parts[];
  int part = 0;
  for (int i = threadIdx.x; i < n; i += blockDim.x) part += values[i];
  parts[threadIdx.x] = part;
  __syncthreads();
  if (threadIdx.x != 0) return;
  *sum = 0;
  for (int i = 0; i < blockDim.x; ++i) *sum += parts[i];
}

__global__ void Parent(int* values, int* sum) {
  int* mine = values + blockIdx.x * kThreads;
  mine[threadIdx.x] = threadIdx.x;
  __syncthreads();
  if (threadIdx.x == 0) {
    Add<<<2, kThreads / 2>>>(mine, Pair{5, 1}, 2.5);
    Double<<<1, kThreads>>>(mine);
  }
  if (threadIdx.x == 0 && blockIdx.x == 0) {
    SumUp<<<1, 32, 32 * sizeof(int), cudaStreamTailLaunch>>>(values, kBlocks * kThreads, sum);
  }
}

int main() {
  DeviceArray<int> values(kBlocks * kThreads);
  DeviceArray<int> sum(1);
  Parent<<<kBlocks, kThreads>>>(values, sum);
  FINISH();
  int got[kBlocks * kThreads], total = 0, want = 0;
  values.CopyTo(got);
  sum.CopyTo(&total);
  for (int i = 0; i < kBlocks * kThreads; ++i) {
    EXPECT(got[i] == 2 * (i % kThreads + 11));
    want += got[i];
  }
  EXPECT(total == want);
  std::printf("sum %d\n", total);
  return 0;
}
