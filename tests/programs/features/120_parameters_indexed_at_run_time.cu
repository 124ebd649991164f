// A table that is passed by value and indexed at run time: small, and larger than 4 KB, which CUDA 12.1 allows. Also
// through a function that gets a reference.
#include "feature.h"

constexpr int kCount = 1500;

template <int kSize>
struct Table {
  int head;
  int values[kSize];
  short tail[5];
};

template <typename T>
__device__ int Sum(const T& table, int first, int count) {
  int sum = 0;
  for (int k = 0; k < count; ++k) sum += table.values[first + k];
  return sum;
}

template <int kSize>
__global__ void Pick(int scale, const Table<kSize> table, const int* index, int* out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] = scale * table.values[index[i]] + table.tail[index[i] % 5] + Sum(table, index[i] / 2, 3);
}

template <int kSize>
void Check(const char* what) {
  static Table<kSize> table;
  static int index[kCount], want[kCount], got[kCount];
  for (int k = 0; k < kSize; ++k) table.values[k] = Mix(k) % 1000;
  for (int k = 0; k < 5; ++k) table.tail[k] = -7 * k;
  for (int i = 0; i < kCount; ++i) {
    index[i] = Mix(i + 77) % (kSize - 2);
    want[i] = 3 * table.values[index[i]] + table.tail[index[i] % 5];
    for (int k = 0; k < 3; ++k) want[i] += table.values[index[i] / 2 + k];
  }
  DeviceArray<int> d_index(index, kCount), d_out(kCount);
  Pick<kSize><<<(kCount + 127) / 128, 128>>>(3, table, d_index, d_out, kCount);
  FINISH();
  d_out.CopyTo(got);
  ExpectSame(what, got, want, kCount);
}

int main() {
  Check<20>("a small table");
  Check<1000>("a table of almost 4 KB");
  Check<2000>("a table of 8 KB");
  Check<8000>("a table of almost 32 KB");
  return Verdict();
}
