// A recursive quicksort by each thread in its own part of an array, with its depth bounded by sorting the smaller side
// first.
#include "program.h"

__device__ void Sort(int* values, int low, int high) {
  while (low < high) {
    const int pivot = values[(low + high) / 2];
    int i = low, j = high;
    while (i <= j) {
      while (values[i] < pivot) ++i;
      while (values[j] > pivot) --j;
      if (i <= j) {
        const int swap = values[i];
        values[i++] = values[j];
        values[j--] = swap;
      }
    }
    if (j - low < high - i) {
      Sort(values, low, j);
      low = i;
    } else {
      Sort(values, i, high);
      high = j;
    }
  }
}

__global__ void SortParts(int* values, int part) { Sort(values + threadIdx.x * part, 0, part - 1); }

int main() {
  constexpr int kParts = 40, kPart = 50, kCount = kParts * kPart;
  static int host[kCount], got[kCount];
  for (int i = 0; i < kCount; ++i) host[i] = static_cast<int>(i * 2654435761u >> 8) % 1000;
  DeviceArray<int> values(kCount);
  values.CopyFrom(host);
  SortParts<<<1, kParts>>>(values, kPart);
  FINISH();
  values.CopyTo(got);
  long long before = 0, after = 0;
  for (int i = 0; i < kCount; ++i) {
    before += host[i];
    after += got[i];
    EXPECT(i % kPart == 0 || got[i - 1] <= got[i]);
  }
  EXPECT(before == after);
  PrintOut(got, sizeof got);
  return 0;
}
