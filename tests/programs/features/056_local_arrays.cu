// Local memory: arrays of a thread's own that are indexed by data, so that they cannot live in registers.
#include "feature.h"

constexpr int kQueens = 6;

// How many ways to place the remaining queens, given those in rows below `row`: a search with its own stack.
__host__ __device__ int Place(int first_column) {
  int column[kQueens];
  column[0] = first_column;
  int row = 1, found = 0;
  column[1] = -1;
  while (row > 0) {
    ++column[row];
    if (column[row] == kQueens) {
      --row;
      continue;
    }
    bool safe = true;
    for (int r = 0; r < row; ++r) {
      const int d = column[row] - column[r];
      if (d == 0 || d == row - r || d == r - row) safe = false;
    }
    if (!safe) continue;
    if (row == kQueens - 1) {
      ++found;
    } else {
      column[++row] = -1;
    }
  }
  return found;
}

__host__ __device__ int Permute(const unsigned char* seed) {
  unsigned char order[16];
  for (int i = 0; i < 16; ++i) order[i] = i;
  for (int i = 15; i > 0; --i) {
    const int k = seed[i] % (i + 1);
    const unsigned char swapped = order[i];
    order[i] = order[k];
    order[k] = swapped;
  }
  int value = 0;
  for (int i = 0; i < 16; ++i) value = value * 7 + order[order[i]];
  return value;
}

__global__ void Search(int* found, const unsigned char* seeds, int* permuted) {
  if (threadIdx.x < kQueens) found[threadIdx.x] = Place(threadIdx.x);
  permuted[threadIdx.x] = Permute(seeds + 16 * threadIdx.x);
}

int main() {
  unsigned char seeds[16 * 64];
  int found[kQueens], wanted_found[kQueens] = {0, 1, 1, 1, 1, 0}, permuted[64], wanted[64];
  for (int i = 0; i < 16 * 64; ++i) seeds[i] = Mix(i);
  for (int i = 0; i < 64; ++i) wanted[i] = Permute(seeds + 16 * i);
  DeviceArray<int> d_found(kQueens), d_permuted(64);
  DeviceArray<unsigned char> d_seeds(seeds, sizeof seeds);
  Search<<<1, 64>>>(d_found, d_seeds, d_permuted);
  FINISH();
  d_found.CopyTo(found);
  d_permuted.CopyTo(permuted);
  ExpectSame("found", found, wanted_found, kQueens);
  ExpectSame("permuted", permuted, wanted, 64);
  Out(found, sizeof found);
  Out(permuted, sizeof permuted);
  return Verdict();
}
