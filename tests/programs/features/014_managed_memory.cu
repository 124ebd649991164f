// Unified memory: host and device use one pointer, by cudaMallocManaged and by a __managed__ variable.
#include "feature.h"

__managed__ int calls = 5;
__managed__ int bounds[2];

struct Item {
  int key;
  Item* partner;
};

__global__ void Greet(Item* items, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) items[i].key += items[i].partner->partner == &items[i] ? 7 : 0;
  if (i == 0) {
    ++calls;
    bounds[0] = -n;
    bounds[1] = n;
  }
}

int main() {
  constexpr int kCount = 2000;
  Item* items = nullptr;
  CHECK(cudaMallocManaged(&items, kCount * sizeof(Item)));
  for (int i = 0; i < kCount; ++i) items[i] = {i, &items[kCount - 1 - i]};
  Greet<<<(kCount + 127) / 128, 128>>>(items, kCount);
  FINISH();
  static int got[kCount], want[kCount];
  for (int i = 0; i < kCount; ++i) {
    got[i] = items[i].key;
    want[i] = i + 7;
  }
  ExpectSame("items", got, want, kCount);
  Expect(calls == 6 && bounds[0] == -kCount && bounds[1] == kCount, "the __managed__ variables");
  calls = 10;  // and back to the device
  Greet<<<1, 32>>>(items, 32);
  FINISH();
  Expect(calls == 11 && items[31].key == 45 && items[32].key == 39, "the second launch");
  Out(got, sizeof got);
  CHECK(cudaFree(items));
  return Verdict();
}
