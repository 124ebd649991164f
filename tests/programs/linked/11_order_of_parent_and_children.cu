// Orders that a checker may take for races: what a parent does before a launch, children of one block that use the same
// memory, a tail launch that reads what the children computed, and accesses after a launch that the child does not
// share.
#include "program.h"

__global__ void AddOne(int* values) { values[threadIdx.x] += 1; }

__global__ void Collect(const int* values, int* sum) {
  *sum = 0;
  for (int i = 0; i < 32; ++i) *sum += values[i];
}

__global__ void Count(int* counter) { atomicAdd(counter, 1); }

__global__ void Parent(int* values, int* sum, int* counter, int* notes) {
  values[threadIdx.x] = threadIdx.x;
  __syncthreads();
  if (threadIdx.x != 0) return;
  AddOne<<<1, 32>>>(values);
  notes[0] = 1;           // nobody else's
  atomicAdd(counter, 1);  // so do the children
  AddOne<<<1, 32>>>(values);
  Collect<<<1, 1, 0, cudaStreamTailLaunch>>>(values, sum);
  Count<<<1, 32, 0, cudaStreamFireAndForget>>>(counter);
  notes[1] = atomicAdd(counter, 1) > 0;
}

int main() {
  DeviceArray<int> values(32), sum(1), counter(1), notes(2);
  counter.Fill(0);
  Parent<<<1, 32>>>(values, sum, counter, notes);
  FINISH();
  int total = 0, counted = 0, noted[2];
  sum.CopyTo(&total);
  counter.CopyTo(&counted);
  notes.CopyTo(noted);
  EXPECT(total == 31 * 32 / 2 + 2 * 32);
  EXPECT(counted == 34);
  EXPECT(noted[0] == 1 && noted[1] == 1);
  std::printf("sum %d, counted %d\n", total, counted);
  return 0;
}
