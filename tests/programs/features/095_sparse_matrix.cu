// A sparse matrix in compressed rows times a vector, a warp for each row, rows from empty to two hundred elements.
#include "feature.h"

__global__ void Multiply(const int* starts, const int* columns, const int* values, const int* x, long long* y,
                         int rows) {
  const int row = (blockIdx.x * blockDim.x + threadIdx.x) / 32, lane = threadIdx.x % 32;
  if (row >= rows) return;
  long long sum = 0;
  for (int e = starts[row] + lane; e < starts[row + 1]; e += 32)
    sum += static_cast<long long>(values[e]) * x[columns[e]];
  for (int step = 16; step > 0; step /= 2) sum += __shfl_down_sync(0xffffffff, sum, step);
  if (lane == 0) y[row] = sum;
}

int main() {
  constexpr int kRows = 301, kColumns = 500, kMost = kRows * 220;
  static int starts[kRows + 1], columns[kMost], values[kMost], x[kColumns];
  static long long got[kRows], want[kRows];
  for (int c = 0; c < kColumns; ++c) x[c] = static_cast<int>(Mix(c)) >> 4;
  for (int row = 0; row < kRows; ++row) {
    const int length = row % 7 == 0 ? 0 : Mix(row) % (row % 3 == 0 ? 200 : 20);
    int e = starts[row];
    for (int k = 0; k < length; ++k, ++e) {
      columns[e] = (Mix(row) + k * 7) % kColumns;
      values[e] = static_cast<int>(Mix(e)) >> 5;
      want[row] += static_cast<long long>(values[e]) * x[columns[e]];
    }
    starts[row + 1] = e;
  }
  const int elements = starts[kRows];
  DeviceArray<int> d_starts(starts, kRows + 1), d_columns(columns, elements), d_values(values, elements),
      d_x(x, kColumns);
  DeviceArray<long long> d_y(kRows);
  Multiply<<<(kRows + 3) / 4, 128>>>(d_starts, d_columns, d_values, d_x, d_y, kRows);
  FINISH();
  d_y.CopyTo(got);
  ExpectSame("y", got, want, kRows);
  Out(got, sizeof got);
  return Verdict();
}
