// assert in a kernel costs nothing to see while it holds; here it guards a binary search.
#include <cassert>

#include "feature.h"

__global__ void Find(const int* sorted, int n, const int* keys, int* places) {
  const int key = keys[threadIdx.x];
  int low = 0, high = n;
  while (low < high) {
    const int middle = (low + high) / 2;
    assert(low <= middle && middle < high);
    if (sorted[middle] < key) {
      low = middle + 1;
    } else {
      high = middle;
    }
  }
  assert(low == n || sorted[low] >= key);
  places[threadIdx.x] = low;
}

int main() {
  constexpr int kCount = 1000, kKeys = 128;
  int sorted[kCount], keys[kKeys], got[kKeys], want[kKeys];
  for (int i = 0; i < kCount; ++i) sorted[i] = 3 * i;
  for (int k = 0; k < kKeys; ++k) {
    keys[k] = Mix(k) % 3100;
    want[k] = (keys[k] + 2) / 3 < kCount ? (keys[k] + 2) / 3 : kCount;
  }
  DeviceArray<int> d_sorted(sorted, kCount), d_keys(keys, kKeys), places(kKeys);
  Find<<<1, kKeys>>>(d_sorted, kCount, d_keys, places);
  FINISH();
  places.CopyTo(got);
  ExpectSame("places", got, want, kKeys);
  Out(got, sizeof got);
  return Verdict();
}
