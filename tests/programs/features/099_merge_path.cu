// Merging two sorted lists by merge path: each thread finds by bisection where its diagonal crosses, then merges a few.
#include "feature.h"

constexpr int kItems = 7;

__global__ void Merge(const int* a, int na, const int* b, int nb, int* out) {
  const int diagonal = (blockIdx.x * blockDim.x + threadIdx.x) * kItems;
  if (diagonal >= na + nb) return;
  int low = diagonal > nb ? diagonal - nb : 0, high = diagonal < na ? diagonal : na;
  while (low < high) {
    const int middle = (low + high) / 2;
    if (a[middle] <= b[diagonal - 1 - middle]) {
      low = middle + 1;
    } else {
      high = middle;
    }
  }
  int i = low, j = diagonal - low;
  for (int k = diagonal; k < diagonal + kItems && k < na + nb; ++k) {
    out[k] = j >= nb || (i < na && a[i] <= b[j]) ? a[i++] : b[j++];
  }
}

int main() {
  constexpr int kA = 1701, kB = 2400;
  static int a[kA], b[kB], got[kA + kB], want[kA + kB];
  for (int i = 0, value = 0; i < kA; ++i) a[i] = value += Mix(i) % 11;
  for (int i = 0, value = 50; i < kB; ++i) b[i] = value += Mix(i + kA) % 7;
  for (int i = 0, j = 0; i + j < kA + kB;) {
    const int k = i + j;
    want[k] = j >= kB || (i < kA && a[i] <= b[j]) ? a[i++] : b[j++];
  }
  DeviceArray<int> d_a(a, kA), d_b(b, kB), d_out(kA + kB);
  const int threads = (kA + kB + kItems - 1) / kItems;
  Merge<<<(threads + 127) / 128, 128>>>(d_a, kA, d_b, kB, d_out);
  FINISH();
  d_out.CopyTo(got);
  ExpectSame("out", got, want, kA + kB);
  Out(got, sizeof got);
  return Verdict();
}
