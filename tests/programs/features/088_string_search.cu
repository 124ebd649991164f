// String search: every thread tries the pattern at its own place; the first match is found by an atomic minimum.
#include "feature.h"

__constant__ char pattern[8] = "abacab";

__global__ void Search(const char* text, int n, int length, int* first, int* count) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  bool matches = i + length <= n;
  for (int k = 0; matches && k < length; ++k) matches = text[i + k] == pattern[k];
  const int found = __syncthreads_count(matches);
  if (threadIdx.x == 0 && found > 0) atomicAdd(count, found);
  if (matches) atomicMin(first, i);
}

int main() {
  constexpr int kCount = 20000, kLength = 6;
  static char text[kCount];
  int want[2] = {kCount, 0}, got[2];
  for (int i = 0; i < kCount; ++i) text[i] = "aabbac"[Mix(i) % 6];
  for (int i = 0; i + kLength <= kCount; ++i) {
    if (std::memcmp(text + i, "abacab", kLength) != 0) continue;
    if (want[1]++ == 0) want[0] = i;
  }
  const int start[2] = {kCount, 0};
  DeviceArray<char> d_text(text, kCount);
  DeviceArray<int> found(start, 2);
  Search<<<(kCount + 255) / 256, 256>>>(d_text, kCount, kLength, found, found + 1);
  FINISH();
  found.CopyTo(got);
  Expect(want[1] > 3, "the text has the pattern in it");
  ExpectSame("first and count", got, want, 2);
  Out(got, sizeof got);
  return Verdict();
}
