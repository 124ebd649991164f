// Constant memory with initialisers, whole and partial, and with values that the host writes before a launch.
#include "feature.h"

struct Polynomial {
  double scale;
  int degree;
  short coefficient[6];
};
__constant__ int primes[10] = {2, 3, 5, 7, 11};  // the rest is zero
__constant__ Polynomial polynomial = {0.5, 3, {1, -2, 3, -4}};
__constant__ float weights[64];

__global__ void Evaluate(double* results, float* weighted) {
  const int x = threadIdx.x;
  double value = 0;
  for (int i = polynomial.degree; i >= 0; --i) value = value * x + polynomial.coefficient[i];
  results[x] = polynomial.scale * value + primes[x % 10];
  weighted[x] = weights[63 - x] * 2.0f;
}

int main() {
  float host_weights[64], weighted[64], wanted_weighted[64];
  double results[64], wanted[64];
  const int host_primes[10] = {2, 3, 5, 7, 11};
  for (int x = 0; x < 64; ++x) {
    host_weights[x] = x * 0.25f;
    wanted_weighted[x] = (63 - x) * 0.5f;
    wanted[x] = 0.5 * (1 - 2 * x + 3 * x * x - 4 * x * x * x) + host_primes[x % 10];
  }
  CHECK(cudaMemcpyToSymbol(weights, host_weights, sizeof host_weights));
  DeviceArray<double> d_results(64);
  DeviceArray<float> d_weighted(64);
  Evaluate<<<1, 64>>>(d_results, d_weighted);
  FINISH();
  d_results.CopyTo(results);
  d_weighted.CopyTo(weighted);
  ExpectSame("results", results, wanted, 64);
  ExpectSame("weighted", weighted, wanted_weighted, 64);
  Out(results, sizeof results);
  Out(weighted, sizeof weighted);
  return Verdict();
}
