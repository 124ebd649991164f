// flags: -G
// A debug build: nothing is inlined, every variable lives in local memory, and debug sections follow the code.
#include "feature.h"

struct Matrix {
  int cell[2][2];
};

__host__ __device__ Matrix Multiply(const Matrix& a, const Matrix& b) {
  Matrix product;
  for (int i = 0; i < 2; ++i) {
    for (int j = 0; j < 2; ++j) {
      int sum = 0;
      for (int k = 0; k < 2; ++k) sum += a.cell[i][k] * b.cell[k][j];
      product.cell[i][j] = sum % 10007;
    }
  }
  return product;
}

// The nth Fibonacci number modulo 10007, by powers of a matrix.
__host__ __device__ int Fibonacci(int n) {
  Matrix power = {{{1, 1}, {1, 0}}}, result = {{{1, 0}, {0, 1}}};
  for (; n > 0; n /= 2) {
    if (n % 2 == 1) result = Multiply(result, power);
    power = Multiply(power, power);
  }
  return result.cell[0][1];
}

__global__ void Fibonaccis(int* out, int n) {
  __shared__ int tile[64];
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  tile[threadIdx.x] = i < n ? Fibonacci(i) : 0;
  __syncthreads();
  if (i < n) out[i] = tile[threadIdx.x] + (threadIdx.x > 0 ? tile[threadIdx.x - 1] : 0);
}

int main() {
  constexpr int kCount = 150;
  int got[kCount], want[kCount];
  for (int i = 0; i < kCount; ++i) want[i] = Fibonacci(i) + (i % 64 > 0 ? Fibonacci(i - 1) : 0);
  DeviceArray<int> out(kCount);
  Fibonaccis<<<3, 64>>>(out, kCount);
  FINISH();
  out.CopyTo(got);
  ExpectSame("out", got, want, kCount);
  Out(got, sizeof got);
  return Verdict();
}
