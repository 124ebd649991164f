// __device__ variables by name: copies to and from a symbol with an offset, its address and its size.
#include "feature.h"

__device__ int table[8];
__device__ long long total;

__global__ void Sum(int n) {
  long long sum = 0;
  for (int i = 0; i < n; ++i) sum += table[i];
  total = sum;
}

__global__ void Through(int* pointer) { pointer[threadIdx.x] *= 2; }

int main() {
  const int values[8] = {3, 1, 4, 1, 5, 9, 2, 6};
  CHECK(cudaMemcpyToSymbol(table, values, sizeof values));
  const int last = 100;
  CHECK(cudaMemcpyToSymbol(table, &last, sizeof last, 7 * sizeof(int)));
  Sum<<<1, 1>>>(8);
  FINISH();
  long long sum = 0;
  CHECK(cudaMemcpyFromSymbol(&sum, total, sizeof sum));
  Expect(sum == 125, "the sum of the table");

  void* address = nullptr;
  size_t size = 0;
  CHECK(cudaGetSymbolAddress(&address, table));
  CHECK(cudaGetSymbolSize(&size, table));
  Expect(size == sizeof values, "the size of the table");
  Through<<<1, 8>>>(static_cast<int*>(address));
  FINISH();
  int got[4];
  CHECK(cudaMemcpyFromSymbol(got, table, sizeof got, 4 * sizeof(int)));
  const int want[4] = {10, 18, 4, 200};
  ExpectSame("table", got, want, 4);
  Out(&sum, sizeof sum);
  Out(got, sizeof got);
  return Verdict();
}
