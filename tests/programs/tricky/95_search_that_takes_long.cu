// Looks for a number by trial: millions of turns in which only a counter changes, and memory that is read again and
// again. It makes progress, so it is no endless loop.
#include "program.h"

__global__ void FirstHit(const unsigned* wanted, unsigned* found) {
  unsigned x = 1, steps = 0;
  while ((x & 0xFFFFF) != wanted[blockIdx.x]) {
    x = x * 1664525u + 1013904223u;
    ++steps;
  }
  if (threadIdx.x == 0) found[blockIdx.x] = steps;
}

int main() {
  constexpr int kBlocks = 3;
  const unsigned steps[kBlocks] = {5, 70001, 900003};  // the generator's low 20 bits have a period of 2^20
  unsigned wanted[kBlocks], got[kBlocks];
  for (int b = 0; b < kBlocks; ++b) {
    unsigned x = 1;
    for (unsigned k = 0; k < steps[b]; ++k) x = x * 1664525u + 1013904223u;
    wanted[b] = x & 0xFFFFF;
  }
  DeviceArray<unsigned> d_wanted(wanted, kBlocks), d_found(kBlocks);
  FirstHit<<<kBlocks, 64>>>(d_wanted, d_found);
  FINISH();
  d_found.CopyTo(got);
  for (int b = 0; b < kBlocks; ++b) EXPECT(got[b] == steps[b]);
  return 0;
}
