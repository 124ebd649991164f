// A quicksort in which each part launches a kernel for its two halves, in streams of their own. Small parts are sorted
// by one thread. The host sorts the same numbers.
#include <algorithm>
#include <vector>

#include "program.h"

constexpr int kSmall = 32, kMostDepth = 16;

__device__ int launches;

__device__ void SelectionSort(unsigned* data, int left, int right) {
  for (int i = left; i <= right; ++i) {
    int least = i;
    for (int j = i + 1; j <= right; ++j) {
      if (data[j] < data[least]) least = j;
    }
    const unsigned value = data[i];
    data[i] = data[least];
    data[least] = value;
  }
}

__global__ void Sort(unsigned* data, int left, int right, int depth) {
  atomicAdd(&launches, 1);
  if (depth >= kMostDepth || right - left < kSmall) {
    SelectionSort(data, left, right);
    return;
  }
  const unsigned pivot = data[(left + right) / 2];
  int low = left, high = right;
  while (low <= high) {
    while (data[low] < pivot) ++low;
    while (data[high] > pivot) --high;
    if (low > high) break;
    const unsigned value = data[low];
    data[low++] = data[high];
    data[high--] = value;
  }
  if (left < high) {
    cudaStream_t stream;
    cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking);
    Sort<<<1, 1, 0, stream>>>(data, left, high, depth + 1);
    cudaStreamDestroy(stream);
  }
  if (low < right) Sort<<<1, 1, 0, cudaStreamFireAndForget>>>(data, low, right, depth + 1);
}

int main() {
  const int n = 2000;
  std::vector<unsigned> numbers(n);
  unsigned x = 12345;
  for (unsigned& number : numbers) number = (x = x * 1664525u + 1013904223u) >> 12;
  DeviceArray<unsigned> data(numbers.data(), n);
  Sort<<<1, 1>>>(data, 0, n - 1, 0);
  FINISH();
  std::vector<unsigned> got(n);
  data.CopyTo(got.data());
  std::sort(numbers.begin(), numbers.end());
  EXPECT(got == numbers);
  int launched = 0;
  CHECK(cudaMemcpyFromSymbol(&launched, launches, sizeof launched));
  EXPECT(launched > n / kSmall);
  std::printf("%d launches, hash %016llx\n", launched,
              static_cast<unsigned long long>(HashBytes(got.data(), n * sizeof(unsigned))));
  return 0;
}
