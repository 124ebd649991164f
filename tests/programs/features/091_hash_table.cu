// A hash table with open addressing: keys claim a slot by compare and swap, Fibonacci hashing spreads them.
#include "feature.h"

constexpr int kBits = 11, kSlots = 1 << kBits;
constexpr unsigned kEmpty = 0xffffffff;

__device__ unsigned Slot(unsigned key) { return (key * 2654435769u) >> (32 - kBits); }

__global__ void Insert(unsigned* keys, unsigned* counts, const unsigned* in, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  for (unsigned slot = Slot(in[i]);; slot = (slot + 1) % kSlots) {
    const unsigned before = atomicCAS(&keys[slot], kEmpty, in[i]);
    if (before != kEmpty && before != in[i]) continue;
    atomicAdd(&counts[slot], 1);
    return;
  }
}

__global__ void Find(const unsigned* keys, const unsigned* counts, unsigned* out, unsigned n) {
  const unsigned key = blockIdx.x * blockDim.x + threadIdx.x;
  if (key >= n) return;
  out[key] = 0;
  for (unsigned slot = Slot(key * 77); keys[slot] != kEmpty; slot = (slot + 1) % kSlots) {
    if (keys[slot] != key * 77) continue;
    out[key] = counts[slot];
    return;
  }
}

int main() {
  constexpr int kCount = 6000, kKeys = 2000;
  static unsigned in[kCount], got[kKeys], want[kKeys];
  for (int i = 0; i < kCount; ++i) {
    const unsigned key = Mix(i) % 1500;  // three quarters of the keys and of the slots
    in[i] = key * 77;
    ++want[key];
  }
  DeviceArray<unsigned> d_in(in, kCount), keys(kSlots), counts(kSlots), out(kKeys);
  CHECK(cudaMemset(keys, 0xff, kSlots * sizeof(unsigned)));
  counts.Fill(0);
  Insert<<<(kCount + 127) / 128, 128>>>(keys, counts, d_in, kCount);
  Find<<<(kKeys + 127) / 128, 128>>>(keys, counts, out, kKeys);
  FINISH();
  out.CopyTo(got);
  ExpectSame("counts", got, want, kKeys);
  Out(got, sizeof got);
  return Verdict();
}
