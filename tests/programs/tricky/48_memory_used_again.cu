// Memory that is freed and allocated again: the address may come back, its old life may not count.
#include "program.h"

__global__ void Set(int* values, int value) { values[threadIdx.x] = value; }
__global__ void Add(int* values) { values[threadIdx.x] += 1; }

int main() {
  int got[64];
  for (int round = 0; round < 5; ++round) {
    DeviceArray<int> values(64);
    Set<<<1, 64>>>(values, round);
    Add<<<1, 64>>>(values);
    FINISH();
    values.CopyTo(got);
    for (const int v : got) EXPECT(v == round + 1);
  }
  PrintOut(got, sizeof got);
  return 0;
}
