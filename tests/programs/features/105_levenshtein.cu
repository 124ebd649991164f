// The edit distance of two strings: the table is filled diagonal by diagonal, a wavefront with a barrier between steps.
#include "feature.h"

constexpr int kMost = 256;

__global__ void Distance(const char* a, int na, const char* b, int nb, int* distance) {
  __shared__ int diagonal[3][kMost + 1];  // entry i is row i of the table
  const int i = threadIdx.x;
  for (int d = 0; d <= na + nb; ++d) {
    int *now = diagonal[d % 3], *before = diagonal[(d + 2) % 3], *twice_before = diagonal[(d + 1) % 3];
    const int j = d - i;
    if (i <= na && j >= 0 && j <= nb) {
      if (i == 0 || j == 0) {
        now[i] = d;
      } else {
        const int replaced = twice_before[i - 1] + (a[i - 1] != b[j - 1]);
        const int shorter = before[i - 1] < before[i] ? before[i - 1] : before[i];
        now[i] = replaced < shorter + 1 ? replaced : shorter + 1;
      }
    }
    __syncthreads();
  }
  if (i == na) *distance = diagonal[(na + nb) % 3][na];
}

int HostDistance(const char* a, int na, const char* b, int nb) {
  static int row[kMost + 1];
  for (int j = 0; j <= nb; ++j) row[j] = j;
  for (int i = 1; i <= na; ++i) {
    int corner = row[0];
    row[0] = i;
    for (int j = 1; j <= nb; ++j) {
      int best = corner + (a[i - 1] != b[j - 1]);
      corner = row[j];
      if (row[j] + 1 < best) best = row[j] + 1;
      if (row[j - 1] + 1 < best) best = row[j - 1] + 1;
      row[j] = best;
    }
  }
  return row[nb];
}

int main() {
  constexpr int kPairs = 4;
  const int lengths[kPairs][2] = {{180, 203}, {64, 64}, {1, 90}, {200, 0}};
  int got[kPairs], want[kPairs];
  for (int p = 0; p < kPairs; ++p) {
    const int na = lengths[p][0], nb = lengths[p][1];
    char a[kMost], b[kMost];
    for (int i = 0; i < kMost; ++i) {
      a[i] = 'a' + Mix(i + 1000 * p) % 4;
      b[i] = Mix(i) % 3 == 0 ? 'a' + Mix(i + 77) % 4 : a[i];
    }
    want[p] = HostDistance(a, na, b, nb);
    DeviceArray<char> d_a(a, kMost), d_b(b, kMost);
    DeviceArray<int> distance(1);
    Distance<<<1, kMost>>>(d_a, na, d_b, nb, distance);
    FINISH();
    distance.CopyTo(&got[p]);
  }
  ExpectSame("distances", got, want, kPairs);
  Out(got, sizeof got);
  return Verdict();
}
