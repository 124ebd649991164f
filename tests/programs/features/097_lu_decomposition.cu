// Gaussian elimination modulo a prime: exact, so that the product of the factors must be the matrix again.
#include "feature.h"

constexpr int kSize = 48, kPrime = 7919;

__host__ __device__ int Power(int base, int exponent) {
  int result = 1;
  for (; exponent > 0; exponent /= 2) {
    if (exponent % 2 == 1) result = result * base % kPrime;
    base = base * base % kPrime;
  }
  return result;
}

// The factors of step k: column k below the diagonal.
__global__ void Column(int* a, int k) {
  const int i = k + 1 + threadIdx.x;
  const int inverse = Power(a[k * kSize + k], kPrime - 2);
  if (i < kSize) a[i * kSize + k] = a[i * kSize + k] * inverse % kPrime;
}

__global__ void Trailing(int* a, int k) {
  const int i = k + 1 + blockIdx.y * blockDim.y + threadIdx.y, j = k + 1 + blockIdx.x * blockDim.x + threadIdx.x;
  if (i < kSize && j < kSize) {
    const int product = a[i * kSize + k] * a[k * kSize + j] % kPrime;
    a[i * kSize + j] = (a[i * kSize + j] - product + kPrime) % kPrime;
  }
}

int main() {
  static int a[kSize * kSize], lu[kSize * kSize], product[kSize * kSize];
  for (int i = 0; i < kSize * kSize; ++i) a[i] = Mix(i + 1) % kPrime;
  DeviceArray<int> d_a(a, kSize * kSize);
  for (int k = 0; k + 1 < kSize; ++k) {
    Column<<<1, 64>>>(d_a, k);
    const int blocks = (kSize - k - 1 + 7) / 8;
    Trailing<<<dim3(blocks, blocks), dim3(8, 8)>>>(d_a, k);
  }
  FINISH();
  d_a.CopyTo(lu);
  for (int i = 0; i < kSize; ++i) {
    Expect(lu[i * kSize + i] != 0, "no pivot is zero");
    for (int j = 0; j < kSize; ++j) {
      int sum = i <= j ? lu[i * kSize + j] : 0;  // the lower factor has ones on its diagonal
      for (int k = 0; k < i && k <= j; ++k) sum = (sum + lu[i * kSize + k] * lu[k * kSize + j]) % kPrime;
      product[i * kSize + j] = sum;
    }
  }
  ExpectSame("product", product, a, kSize * kSize);
  Out(lu, sizeof lu);
  return Verdict();
}
