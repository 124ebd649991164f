// A radix sort of 32-bit keys in eight passes of four bits: count, scan, scatter in order.
#include "feature.h"

constexpr int kThreads = 128, kDigits = 16;

__global__ void Count(const unsigned* keys, int* counts, int n, int shift) {
  __shared__ int own[kDigits];
  if (threadIdx.x < kDigits) own[threadIdx.x] = 0;
  __syncthreads();
  const int i = blockIdx.x * kThreads + threadIdx.x;
  if (i < n) atomicAdd(&own[keys[i] >> shift & 15], 1);
  __syncthreads();
  if (threadIdx.x < kDigits) counts[threadIdx.x * gridDim.x + blockIdx.x] = own[threadIdx.x];
}

__global__ void Scan(int* counts, int n) {  // by one thread: the list is short
  int sum = 0;
  for (int i = 0; i < n; ++i) {
    const int count = counts[i];
    counts[i] = sum;
    sum += count;
  }
}

__global__ void Scatter(const unsigned* keys, unsigned* sorted, const int* starts, int n, int shift) {
  __shared__ int before[kThreads / 32][kDigits];  // keys of a digit in each warp
  const int i = blockIdx.x * kThreads + threadIdx.x, lane = threadIdx.x % 32, warp = threadIdx.x / 32;
  if (lane < kDigits) before[warp][lane] = 0;
  __syncwarp();
  const int digit = i < n ? static_cast<int>(keys[i] >> shift & 15) : -1;
  const unsigned same = __match_any_sync(0xffffffff, digit);
  const int rank = __popc(same & ((1u << lane) - 1));
  if (digit >= 0 && rank == 0) before[warp][digit] = __popc(same);
  __syncthreads();
  if (digit < 0) return;
  int place = starts[digit * gridDim.x + blockIdx.x] + rank;
  for (int w = 0; w < warp; ++w) place += before[w][digit];
  sorted[place] = keys[i];
}

int Compare(const void* a, const void* b) {
  const unsigned x = *static_cast<const unsigned*>(a), y = *static_cast<const unsigned*>(b);
  return x < y ? -1 : x > y;
}

int main() {
  constexpr int kCount = 5001, kBlocks = (kCount + kThreads - 1) / kThreads;
  static unsigned keys[kCount], got[kCount];
  for (int i = 0; i < kCount; ++i) keys[i] = Mix(i);
  DeviceArray<unsigned> first(keys, kCount), second(kCount);
  DeviceArray<int> counts(kDigits * kBlocks);
  for (int shift = 0; shift < 32; shift += 4) {
    unsigned *from = shift % 8 == 0 ? first : second, *to = shift % 8 == 0 ? second : first;
    Count<<<kBlocks, kThreads>>>(from, counts, kCount, shift);
    Scan<<<1, 1>>>(counts, kDigits * kBlocks);
    Scatter<<<kBlocks, kThreads>>>(from, to, counts, kCount, shift);
  }
  FINISH();
  first.CopyTo(got);
  std::qsort(keys, kCount, sizeof keys[0], Compare);
  ExpectSame("keys", got, keys, kCount);
  Out(got, sizeof got);
  return Verdict();
}
