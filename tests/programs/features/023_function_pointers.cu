// Calls through pointers: a table of device functions that each thread indexes, and one that the host fetches.
#include "feature.h"

using Operation = int (*)(int, int);
__device__ int Add(int a, int b) { return a + b; }
__device__ int Subtract(int a, int b) { return a - b; }
__device__ int Multiply(int a, int b) { return a * b; }
__device__ int Largest(int a, int b) { return a > b ? a : b; }
__device__ Operation operations[4] = {Add, Subtract, Multiply, Largest};
__device__ Operation chosen = Subtract;

__global__ void Apply(const int* a, const int* b, int* out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] = operations[i % 4](a[i], b[i]);  // four ways within each warp
}

__global__ void ApplyOne(Operation operation, const int* a, const int* b, int* out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] += operation(a[i], b[i]);
}

int main() {
  constexpr int kCount = 500;
  int a[kCount], b[kCount], got[kCount], want[kCount];
  for (int i = 0; i < kCount; ++i) {
    a[i] = Mix(i) % 1000;
    b[i] = Mix(i + kCount) % 1000;
    const int results[4] = {a[i] + b[i], a[i] - b[i], a[i] * b[i], a[i] > b[i] ? a[i] : b[i]};
    want[i] = results[i % 4] + a[i] - b[i];
  }
  DeviceArray<int> d_a(a, kCount), d_b(b, kCount), d_out(kCount);
  Apply<<<4, 128>>>(d_a, d_b, d_out, kCount);
  FINISH();
  Operation operation = nullptr;
  CHECK(cudaMemcpyFromSymbol(&operation, chosen, sizeof operation));
  ApplyOne<<<4, 128>>>(operation, d_a, d_b, d_out, kCount);
  FINISH();
  d_out.CopyTo(got);
  ExpectSame("out", got, want, kCount);
  Out(got, sizeof got);
  return Verdict();
}
